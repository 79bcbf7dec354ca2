#!/usr/bin/env python3
"""Mutates the library at random, and counts how many mutants an ordinary campaign of `verify` finds.

usage: mutate.py SOURCE_DIR WORK_DIR GRADPROOF [--count N] [--seed S] [--jobs N] [--seconds N] [--only FOLDER]…
       [--page FILE] [--again FILE]

A mutant is the library with one place written otherwise (operators.py). Its object code may be the same as
without it: then no caller can tell, and it is counted apart. So are those that do not compile, and those that
explained.txt, beside this script, says no caller can tell, each with its reason. All others should be found.
A mutant is found if a finding's own case fails on it again, at least once in three times, and passes on the unmodified
library. What is wrong may depend on the calls before, or on threads: where the case alone passes, the campaign is made
again, and the mutant is found if that fails, too. Otherwise the finding is doubtful and counts as if there were none.
Every job has a copy of the sources and a build folder under WORK_DIR. A mutant compiles the objects that its file is
part of; afterwards those of before are put back. The page is written anew after each mutant, so a run that is ended
leaves one.

Exit status: 0, or 1 if none was found, or less than 97 % of those that should be.
"""
import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import os
import pathlib
import queue
import random
import re
import shlex
import shutil
import subprocess
import sys
import time

import operators

GOAL = 0.97
# What a campaign judges, and its share of the time. The documents' is that of most of the code.
CONFORMANCES = {"documented": 0.75, "cann": 0.25}
# What verify says of a library that ends its process or hangs while it is loaded (props/subject/step.cpp), or tells no product
# (session.cpp): it is not tested, and the user knows why.
TOLD = ("while it is loaded", "aclrtGetSocName reports an unknown product")
FOLDERS = ["opt/base", "opt/kernels", "opt/ops", "opt/runtime"]
# The line that is printed for a mutant that was not found.
PRINTED = re.compile(r"\d+/\d+ (?:survived|doubtful) [\d.]+ s: (?P<name>\S+ \w+: '.*?' becomes '.*?')(?:; |$)")
HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(prog="./run mutate", description="Mutate the library, and see what verify finds.")
    parser.add_argument("source", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("work", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("gradproof", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, default=100, help="mutants to try (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same mutants (default 1)")
    every = len(os.sched_getaffinity(0))
    parser.add_argument("--jobs", type=lambda word: every if word == "all" else int(word), default=every,
                        help="mutants tried at the same time, or all: one a processor (default: all)")
    parser.add_argument("--seconds", type=float, default=45, help="time of a campaign, on one processor (default 45)")
    parser.add_argument("--only", action="append", choices=FOLDERS, help="mutate this folder; may be given several times (default: all)")
    parser.add_argument("--page", type=pathlib.Path, help="write the results there as Markdown")
    parser.add_argument("--again", type=pathlib.Path, metavar="FILE",
                        help="try again the mutants that FILE, the output of an earlier run, lists as survived or doubtful and whose place is unchanged")
    options = parser.parse_args()
    if options.count < 1 or options.jobs < 1 or options.seconds <= 0:
        parser.error("--count, --jobs and --seconds must be positive")
    return options


def draw(options, reasons):
    """As many mutants as asked for, or those that a run before did not find and nobody has explained."""
    files = subprocess.run(["git", "ls-files", *(options.only or FOLDERS)], cwd=options.source, check=True,
                           capture_output=True, text=True).stdout.split()
    places = [mutant for file in files if file.endswith((".cpp", ".h"))
              for mutant in operators.of_file(file, (options.source / file).read_text())]
    if options.again:
        missed = {found["name"] for found in map(PRINTED.match, options.again.read_text().splitlines()) if found}
        return [mutant for mutant in places
                if mutant.name() in missed and not reasons.reason(mutant)]
    return random.Random(options.seed).sample(places, min(options.count, len(places)))


def flags():
    """-O1 compiles faster. With AVX2 as the least instruction set, vector code is compiled twice, not four times."""
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    return "-O1 -g0 -w -DNDEBUG" + (" -march=x86-64-v3" if " avx2 " in cpu else "")


def last_output(done, beginnings):
    return next((line for line in (done.stdout + done.stderr).splitlines() if line.startswith(beginnings)), "")


class Workshop:
    """A copy of the sources that builds the library alone."""

    def __init__(self, options, number):
        self.tree = options.work.resolve() / f"tree-{number}"
        self.build = options.work.resolve() / f"build-{number}"
        self.options = options
        shutil.rmtree(self.build, ignore_errors=True)  # a run that was ended leaves a mutant's objects
        for part in ["CMakeLists.txt", "cmake", "include", "opt", "ref"]:
            origin, copy = options.source / part, self.tree / part
            if origin.is_dir():
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(origin, copy)
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(origin, copy)
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DBUILD_TESTING=OFF", "-DGRADPROOF_TOOLS=OFF",
                        "-DGRADPROOF_INSTALL=OFF", "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={flags()}"],
                       check=True, stdout=subprocess.DEVNULL)
        if not self.make():
            sys.exit("mutate: the library does not build")
        self.library = next(self.build.glob("opt/libgradproof.so")).resolve()
        self.unmodified = self.code()
        self.parts = self.objects()
        self.correct = self.build / "unmodified" / self.library.name
        self.correct.parent.mkdir(exist_ok=True)
        shutil.copy2(self.library, self.correct)
        fate, _, first = self.campaign()
        if fate != "survived":
            sys.exit(f"mutate: the unmodified library does not pass: {first}")

    def make(self):
        return subprocess.run(["ninja", "-j1", "-C", self.build, "gradproof"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def code(self):
        return hashlib.sha256(self.library.read_bytes()).digest()

    def objects(self):
        """The objects that each file of the sources is part of."""
        told = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
        parts = collections.defaultdict(list)
        for line in told.splitlines():
            if line.startswith(" "):  # CMake's paths are relative to the build folder, or absolute
                parts[(self.build / line.strip()).resolve()].append(self.build / made)
            elif ":" in line:
                made = line.split(":")[0]
        return parts

    def judge(self, mutant):
        """What became of the mutant, the seconds of the campaign, and what was found first."""
        file = self.tree / mutant.file
        text, times = file.read_text(), file.stat()
        aside = self.build / "aside"
        shutil.rmtree(aside, ignore_errors=True)
        for made in self.parts[file]:
            kept = aside / made.relative_to(self.build)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(made, kept)
        file.write_text(mutant.apply(text))
        try:
            if not self.make():
                return "does not compile", 0, ""
            if self.code() == self.unmodified:
                return "same code", 0, ""
            return self.campaign()
        finally:
            file.write_text(text)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
            if aside.exists():
                shutil.copytree(aside, self.build, dirs_exist_ok=True)
            self.library.unlink(missing_ok=True)  # links again: to ninja, objects that are put back are old
            if not self.make() or self.code() != self.unmodified:
                raise RuntimeError(f"{mutant.name()} is still in the library")

    def run(self, conformance, *arguments):
        return subprocess.run([self.options.gradproof, *arguments], capture_output=True, text=True, errors="replace",
                              timeout=5 * self.options.seconds + 60, env={**os.environ, "GRADPROOF_CONFORMANCE": conformance})

    def campaign(self):
        """The fate in the time of one campaign, which the conformances share."""
        begun = time.monotonic()
        try:
            for conformance, share in CONFORMANCES.items():
                verify = ("verify", "--library", self.library, "--seconds", str(share * self.options.seconds), "--jobs", "1",
                          "--max-failures", "1", "--no-database")
                done = self.run(conformance, *verify)
                seconds = time.monotonic() - begun
                if done.returncode == 0:
                    continue
                first = last_output(done, ("failed: ", "gradproof: ", "contradicted: ")) or f"status {done.returncode}"
                if done.returncode != 1:  # the library was not tested
                    return ("found" if any(words in first for words in TOLD) else "doubtful"), seconds, first
                found = self.confirmed(conformance, last_output(done, "repro: "), verify)
                return ("found" if found else "doubtful"), seconds, first
            return "survived", seconds, ""
        except subprocess.TimeoutExpired:
            return "doubtful", time.monotonic() - begun, "the command did not end"

    def confirmed(self, conformance, repro, campaign):
        """Whether the finding's case or the campaign fails again, and the case passes on the unmodified library. An entry
        of the profile that is contradicted fails a campaign without a case."""
        words = shlex.split(repro)[2:]  # without "repro: gradproof"
        if not words:
            return self.run(conformance, *campaign).returncode == 1
        fails = any(self.run(conformance, *words).returncode == 1 for _ in range(3)) or self.run(conformance, *campaign).returncode == 1
        correct = (word.replace(str(self.library), str(self.correct)) for word in words)
        return fails and self.run(conformance, *correct).returncode in (0, 5)  # 5: nothing is tested on it


class Explained:
    """The mutants that no caller can tell, with the reason: by file, line's text and what it becomes; or all of a folder
    whose line matches an expression, or which are in functions of a name."""

    def __init__(self, source):
        self.source = source
        self.lines = {}
        self.rules = []  # (folder, what applies to a file's lines and a line's number, reason)
        reason = place = None
        for line in (HERE / "explained.txt").read_text().splitlines():
            if line.startswith("#"):
                reason = line[1:].strip()
            elif line.startswith("opt/"):
                place = line.strip()
                known = None if place.endswith("/") else {text.strip() for text in (source / place).read_text().splitlines()}
            elif line.startswith("in "):
                self.rules.append((place, lambda lines, n, name=line[3:].strip(): operators.function_of(lines, n) == name, reason))
            elif line.startswith("/"):
                self.rules.append((place, lambda lines, n, pattern=line.strip().strip("/"): re.search(pattern, lines[n - 1]), reason))
            elif line.strip():
                old, new = (part.strip() for part in line.split(" => "))
                if old not in known:
                    sys.exit(f"explained.txt: not in {place}: {old}")
                self.lines[place, old, new] = reason

    def reason(self, mutant):
        """None if nobody has explained it."""
        at = (mutant.file, *line_of(self.source, mutant))
        if at in self.lines:
            return self.lines[at]
        lines = (self.source / mutant.file).read_text().split("\n")
        return next((reason for folder, applies, reason in self.rules
                     if mutant.file.startswith(folder) and applies(lines, mutant.line)), None)


def line_of(source, mutant):
    text = (source / mutant.file).read_text()
    return text.split("\n")[mutant.line - 1].strip(), mutant.apply(text).split("\n")[mutant.line - 1].strip()


def try_all(options, mutants, told):
    """Calls `told` with the results so far, after each of them."""
    shops = queue.Queue()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for shop in pool.map(lambda number: Workshop(options, number), range(options.jobs)):
            shops.put(shop)

        def judge(mutant):
            shop = shops.get()
            try:
                return shop.judge(mutant)
            finally:
                shops.put(shop)

        results = []
        for mutant, result in zip(mutants, pool.map(judge, mutants)):
            fate, seconds, first = result
            print(f"{len(results) + 1}/{len(mutants)} {fate} {seconds:.1f} s: {mutant.name()}{'; ' + first if first else ''}", flush=True)
            results.append((mutant, *result))
            told(results)
        return results


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def table(title, results, key, reasons):
    """Rows of counts: what can be told apart, what of it was found."""
    groups = collections.defaultdict(collections.Counter)
    for mutant, fate, _, _ in results:
        if fate == "survived" and reasons.reason(mutant):
            fate = "explained"
        groups[key(mutant)][fate] += 1
    lines = [f"| {title} | tried | do not compile | same code | explained | found | survived | doubtful | score |", "|---|" + "---:|" * 8]
    for name, n in [*sorted(groups.items()), ("all", sum(groups.values(), collections.Counter()))]:
        lines.append(f"| {name} | {sum(n.values())} | {n['does not compile']} | {n['same code']} | {n['explained']} | {n['found']} | "
                     f"{n['survived']} | {n['doubtful']} | {percent(n['found'], n['found'] + n['survived'] + n['doubtful'])} |")
    return lines


def drawn(options):
    if options.again:
        return f"the mutants that {options.again} says were not found"
    return f"{options.count} places of {', '.join(options.only or FOLDERS)} drawn with seed {options.seed}"


def page(options, results, reasons):
    found = sorted(seconds for _, fate, seconds, _ in results if fate == "found")
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    lines = ["# Mutants of the library", "",
             "This page shows how many small changes of the library `gradproof verify` finds. `./run mutate` made it.", "",
             f"- {datetime.date.today()}, {processor}, {options.jobs} mutants at a time",
             f"- {len(results)} of {drawn(options)}, {options.seconds:g} s and one job a campaign",
             f"- load average at the end {os.getloadavg()[2]:.1f} on {os.cpu_count()} processors; compiled with {flags()}",
             "", "A mutant counts for the score if a caller can tell it from the library: its object code differs, and",
             "[explained.txt](../../tests/mutate/explained.txt) does not say why it makes no difference. A finding is doubtful if",
             "neither its case nor a second campaign fails again, or if the case fails on the unmodified library too; it counts as",
             "if there were none.", ""]
    lines += table("folder", results, lambda m: "/".join(m.file.split("/")[:3 if m.file.startswith("opt/kernels") and m.file.count("/") > 2 else 2]),
                   reasons)
    lines += [""] + table("kind", results, lambda m: m.kind, reasons)
    if found:
        lines += ["", f"Seconds until a mutant was found: median {found[len(found) // 2]:.1f}, most {found[-1]:.1f}."]
    survivors = [m for m, fate, _, _ in results if fate == "survived" and not reasons.reason(m)]
    lines += ["", "## Survivors", ""]
    for mutant in survivors:
        old, new = line_of(options.source, mutant)
        lines += [f"- `{mutant.file}:{mutant.line}`: `{old}` became `{new}`"]
    told = [(m, reasons.reason(m)) for m, fate, _, _ in results if fate == "survived" and reasons.reason(m)]
    lines += [] if survivors else ["None."]
    lines += ["", "## Explained", ""] + [f"- `{m.file}:{m.line}`: '{m.old}' became '{m.new}': {reason}" for m, reason in told] + ([] if told else ["None."])
    return "\n".join(lines) + "\n"


def exit_status(results, reasons):
    """0 if enough of the mutants that should be found were; none at all say nothing about the campaign."""
    found = sum(fate == "found" for _, fate, _, _ in results)
    missed = sum(fate == "doubtful" or fate == "survived" and not reasons.reason(m) for m, fate, _, _ in results)
    return 0 if found > 0 and found >= GOAL * (found + missed) else 1


def main():
    options = arguments()
    reasons = Explained(options.source)

    def write(results):
        if options.page:
            options.page.write_text(page(options, results, reasons))

    results = try_all(options, draw(options, reasons), write)
    print(page(options, results, reasons))
    return exit_status(results, reasons)


if __name__ == "__main__":
    sys.exit(main())
