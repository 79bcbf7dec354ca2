#!/usr/bin/env python3
"""Kernels that prefetch have prefetches in their machine code: GCC removes calls of a function that
only prefetches, which only a disassembly shows (opt/kernels/prefetch.h).

usage: prefetches.py LIBRARY
"""
import platform
import re
import shutil
import subprocess
import sys

SKIPPED = 77
TARGETS = {"N_AVX2", "N_AVX3"}
# Each function whose name matches prefetches, in each target that has one.
FUNCTIONS = {
    "upsample, gather rows": r"::(\w+)::share<(?:true|false), \w+(?:::\w+)*>\(",
    "upsample, gather channels": r"::(\w+)::weigh<(?:true|false), \w+(?:::\w+)*>\(",
    "upsample, disjoint columns": r"::(\w+)::pair_tile<",
}
# At least one function in these namespaces prefetches, in each target.
NAMESPACES = {
    "scatter channels": r"::scatter_channels::(\w+)::",
    "scatter ring": r"::scatter_ring::(\w+)::",
    "select pairs (pools by index)": r"::index_pool::select_pairs::(\w+)::",
    "select pairs (pools by mask)": r"::mask_pool::select_pairs::(\w+)::",
    "gather channels": r"::gather_channels::(\w+)::",
    "gather lanes": r"::gather_lanes::(\w+)::",
    "gather rows (pools by mask)": r"::mask_pool::gather_rows::(\w+)::",
    "copied planes": r"::copying::(\w+)::",
}


def prefetches(library):
    """How many prefetches each function has."""
    text = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", library],
        check=True, capture_output=True, text=True).stdout
    counts = {}
    for line in text.splitlines():
        start = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if start:
            name = re.sub(r" \[clone [^]]*\]", "", start.group(1))  # a cold part may have none
            counts.setdefault(name, 0)
        elif "\tprefetch" in line:
            counts[name] += 1
    return counts


def main():
    if platform.machine() != "x86_64" or not shutil.which("objdump"):
        print("skipped: needs objdump on x86-64")
        return SKIPPED
    counts = prefetches(sys.argv[1])
    missing = []
    for what, pattern in FUNCTIONS.items():
        targets = {name: m.group(1) for name in counts if (m := re.search(pattern, name)) and m.group(1) in TARGETS}
        missing += [f"{what}: no function of {target}" for target in sorted(TARGETS - set(targets.values()))]
        missing += [f"{what}: {name}" for name in targets if counts[name] == 0]
    for what, pattern in NAMESPACES.items():
        of = dict.fromkeys(TARGETS, 0)
        for name, count in counts.items():
            m = re.search(pattern, name)
            if m and m.group(1) in of:
                of[m.group(1)] += count
        missing += [f"{what}: {target}" for target, count in of.items() if count == 0]
    print("no prefetch in:", *missing, sep="\n  ") if missing else print("all of them prefetch")
    return 1 if missing else 0


sys.exit(main())
