#!/usr/bin/env python3
"""Line and branch coverage of opt/, per file, from the counters of an instrumented build.

usage: report.py SOURCE_DIR BUILD_DIR [--list]

A branch is a way on from a condition of the source. gcov also counts the ways on from calls: those
on which nothing was thrown, and those on which something was. They are no conditions and left out;
what is thrown shows in the lines of the handlers. Lines without a letter, such as "});", have no
condition either: what gcov counts there is the end of objects. At a local static it counts the
guard, at an array of objects the loop that makes them, and at a delete a test of the pointer: left out
likewise. Instances of a template are one piece
of source: a branch counts as taken if one of them took it, and so do those of inline functions in
several objects.

A comment beside a line of opt/ says that the suite cannot reach it, and why; on a separate line it is for the statement
that follows. Such lines are taken out of both counts, and the table says how many they are.

    // uncovered: REASON            an error if all branches were taken
    // perhaps uncovered: REASON    chance, or the machine, decides

Reasons that many lines share:
    race                 a second thread between two steps of this one; tests/runtime/concurrency_test.cpp and tests/kernels race them
    out of memory        no test can ask for that without taking the machine's
    forked child         it ends by _exit, which writes no counters; tests/process forks
    the machine decides  what its processor and control groups are
    protection keys      a machine has them or has not
    AVX-512              compiled for AVX-512, or chosen with it alone: a machine has it or has not
    two edits            of one call: boundary cases are a sample of all pairs; tests/ops makes these
    ends the process     a thread that faults takes its process's counters along; tests/runtime/strict.sh does it
    write beside a block the API refuses it, and by a pointer it faults

Exit status: 1 if validation (opt/ops) misses a branch, or the rest more than 5 % of its branches.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ARRAY = re.compile(r"[\w:<>, ]+ \w+\[\w+\];")
# gcov computes some counts from others. They are off by one, in both directions, where a process forks while
# its threads count.
NOISE = 2
MARK = re.compile(r"// (perhaps )?uncovered: \S")


def gcov(data: pathlib.Path) -> list:
    """gcov's account of one object: its files."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", data],
                          check=True, capture_output=True, text=True, cwd=data.parent).stdout
    return [file for line in text.splitlines() for file in json.loads(line)["files"]]


def conditions(branches: list) -> list:
    """The ways on from conditions; a call's two ways on end in the one that throws."""
    ways = []
    for branch in branches:
        if not branch["throw"]:
            ways.append(branch)
        elif ways:
            ways.pop()
    return ways if len(ways) > 1 else []


def instances(ways: list, functions: list, lambdas: list, number: int) -> list:
    """The ways on from a line of a lambda in a template, apart by its instances: gcov lists them one
    after the other without saying so. A generic lambda has more of them than the template around it,
    and `if constexpr` may leave a line to half of them."""
    def instances_of(some: list) -> int:
        starts = [(f["start_line"], f["start_column"]) for f in some]
        return starts.count(max(starts)) if starts else 1

    around = [f for f in functions if f["start_line"] <= number <= f["end_line"]]
    count = instances_of(around)
    # The last line that gcov knows of a lambda is its first.
    inner = instances_of([f for f in lambdas if f["start_line"] <= number and
                          all(f["start_line"] >= a["start_line"] for a in around)])
    for parts in count, count // 2, inner:
        size = len(ways) // parts if parts > 1 else 0
        if size < 2 or size * parts != len(ways):
            continue
        apart = [ways[i:i + size] for i in range(0, len(ways), size)]
        if len({tuple(way["fallthrough"] for way in part) for part in apart}) == 1:
            return apart
    return [ways]


class Source:
    """One source file: how often each line ran, and each branch of a line."""

    def __init__(self):
        self.lines = collections.Counter()
        self.branches = {}

    def add(self, file: dict):
        places = {f["name"]: (f["start_line"], f["start_column"]) for f in file["functions"]}
        functions, lambdas = [], []
        for f in file["functions"]:
            (lambdas if "{lambda(" in f["demangled_name"] else functions).append(f)
        for line in file["lines"]:
            number, function = line["line_number"], line.get("function_name")
            self.lines[number] += line["count"]
            ways = conditions(line["branches"])
            if not ways:
                continue
            for part in [ways] if function else instances(ways, functions, lambdas, number):
                counts = [way["count"] for way in part]
                key = (number, places.get(function), len(counts))
                before = self.branches.get(key, [0] * len(counts))
                self.branches[key] = [a + b for a, b in zip(before, counts)]

    def without_ends(self, text: list):
        self.without({n for n in self.lines if not any(c.isalpha() for c in text[n - 1])})
        self.branches = {k: v for k, v in self.branches.items()
                         if not text[k[0] - 1].lstrip().startswith(("static ", "delete "))
                         and not ARRAY.fullmatch(text[k[0] - 1].strip())}

    def missed_lines(self) -> list:
        return sorted(n for n, count in self.lines.items() if count == 0)

    def missed_branches(self, most: int = 0) -> collections.Counter:
        """Those that were taken so often at most."""
        missed = collections.Counter()
        for (number, _, _), counts in self.branches.items():
            if any(count <= most for count in counts):
                missed[number] += sum(count <= most for count in counts)
        return missed

    def without(self, numbers: set):
        for number in numbers:
            self.lines.pop(number, None)
        self.branches = {k: v for k, v in self.branches.items() if k[0] not in numbers}


def collect(root: pathlib.Path, build: pathlib.Path) -> dict:
    sources = collections.defaultdict(Source)
    objects = sorted((build / "opt").rglob("*.gcda"))
    if not objects:
        sys.exit(f"{build}/opt has no counters: nothing instrumented has run to its end")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for files in pool.map(gcov, objects):
            for file in files:
                path = pathlib.Path(os.path.normpath(build / file["file"]))
                if path.is_relative_to(root / "opt"):
                    sources[str(path.relative_to(root))].add(file)
    for name, source in sources.items():
        source.without_ends((root / name).read_text().splitlines())
    return dict(sorted(sources.items()))


def exclude(root: pathlib.Path, sources: dict) -> tuple:
    """Takes out what comments mark. The number of lines in each file, and the marks that nothing needs."""
    wrong, taken = [], {}
    for name, source in sources.items():
        text = (root / name).read_text().splitlines()
        missed = set(source.missed_lines()) | set(source.missed_branches(NOISE))
        taken[name] = set()
        for number, line in enumerate(text, 1):
            mark = MARK.search(line)
            if not mark:
                continue
            lines = {number}
            if line.lstrip().startswith("//"):
                last = next(n for n in range(number, len(text)) if text[n].endswith(("{", "}", ";")))
                lines = set(range(number + 1, last + 2))
            if not mark[1] and not lines & missed:
                wrong.append(f"{name}:{number}: fully covered, not to be marked: {text[max(lines) - 1].strip()}")
            taken[name] |= lines
        source.without(taken[name])
    return {name: len(lines) for name, lines in taken.items()}, wrong


def percent(hit: int, all_: int) -> str:
    return "      -" if all_ == 0 else f"{100 * hit / all_:6.1f}%"


def ranges(numbers) -> str:
    return ", ".join(str(n) for n in sorted(numbers))


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="print the lines with what is missed")
    options = parser.parse_args()
    root = options.source.resolve()
    sources = collect(root, options.build.resolve())
    excluded, wrong = exclude(root, sources)

    totals = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    rows = []
    for name, source in sources.items():
        missed = source.missed_branches()
        ways = sum(len(counts) for counts in source.branches.values())
        row = [len(source.lines) - len(source.missed_lines()), len(source.lines),
               ways - missed.total(), ways, excluded.get(name, 0)]
        rows.append((name, row, missed))
        part = "validation (opt/ops)" if name.startswith("opt/ops/") else "the rest"
        for i, value in enumerate(row):
            totals[part][i] += value
    print(f"{'file':48}  {'lines':>15}  {'branches':>15}  excluded  missed branches in lines")

    def show(name, row, missed=()):
        print(f"{name:48}  {row[0]:>3}/{row[1]:<3} {percent(row[0], row[1])} "
              f" {row[2]:>3}/{row[3]:<3} {percent(row[2], row[3])}  {row[4] or '':>8}"
              f"  {ranges(missed)}".rstrip())

    for name, row, missed in rows:
        if row[1] > 0:
            show(name, row, missed)
    for part in sorted(totals, reverse=True):
        show(part, totals[part])
    if options.list:
        for name, source in sources.items():
            lines = (root / name).read_text().splitlines()
            missed = source.missed_branches()
            for number in sorted(set(missed) | set(source.missed_lines())):
                print(f"{name}:{number}: {missed.get(number, 0)}: {lines[number - 1].strip()}")
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    ops, rest = totals["validation (opt/ops)"], totals["the rest"]
    enough = ops[2] == ops[3] and rest[2] >= 0.95 * rest[3]
    return 0 if enough and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
