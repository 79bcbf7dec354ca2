#!/usr/bin/env python3
"""What the suite finds in frameworks, measured anew: prints docs/results/findings.md.

usage: findings.py SOURCE BUILD [SECONDS]

Each program of examples/subjects/findings runs. For each subject and operator that its finding is in, `gradproof
verify` runs with the subject's profile and with its known findings but this one, until SECONDS (60) are over, and the
report tells when the finding came up.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Which subjects and operators show what a program shows. Of aten_scale_beyond none: documents leave scales that do not
# fit the sizes open, so `verify` asks for them only where a library promises them.
FOUND_IN = {
    "aten_bf16_coordinates": [("aten", "upsample_bilinear2d_backward")],
    "aten_indices_strides": [("aten", "max_pool3d_with_argmax_backward"), ("aten", "adaptive_max_pool3d_backward")],
    "aten_out_strides": [("aten_out", "max_pool3d_with_argmax_backward"), ("aten_out", "adaptive_max_pool3d_backward"),
                         ("aten_out", "replication_pad2d_backward")],
    "aten_scale_beyond": [],
    "aten_scale_ignored": [("aten", "upsample_bilinear2d_backward")],
    "onednn_resampling_ranges": [("onednn", "upsample_bilinear2d_backward")],
}


def version(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True).stdout


def verify(source, build, subject, operator, program, seconds):
    """The row of one campaign: when it found something, after how many cases, and the case."""
    subjects = source / "examples" / "subjects"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for profile in subjects.glob("*.json"):
            (folder / profile.name).write_text(profile.read_text())
        known = json.loads((subjects / f"{subject}.known.json").read_text())
        known["known"] = [entry for entry in known["known"] if program not in entry["reason"]]
        (folder / "known.json").write_text(json.dumps(known))
        library = build / "tests" / "subjects" / f"lib{subject}.so"
        subprocess.run([build / "props/cli/gradproof", "verify", "--library", library, "--profile",
                        folder / f"{subject.removesuffix('_out')}.json", "--operator", operator, "--known",
                        folder / "known.json", "--seconds", str(seconds), "--no-database", "--report", folder / "report"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        report = json.loads((folder / "report" / "report.json").read_text())
    failures = report["failures"]
    if not failures:
        return f"| `{subject}` | {operator} | not within {seconds} s | | |"
    first = min(failures, key=lambda failure: failure["seconds"])
    elements = max(count(shape) for shape in re.findall(r"\[([0-9,]+)\]", first["case"]))
    return f"| `{subject}` | {operator} | {first['seconds']:.1f} s | {first['number'] + 1} | {elements} |"


def count(shape):
    product = 1
    for extent in shape.split(","):
        product *= int(extent)
    return product


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    model = re.search("model name.*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()).group(1)
    print("# Evidence of findings\n")
    print(f"Made by `./run findings` on {datetime.date.today()}: ATen of Debian's libtorch {version('libtorch-dev')}, oneDNN "
          f"of Debian's\nlibdnnl {version('libdnnl-dev')}, {model}, {os.cpu_count()} processors. What each finding is: "
          "[findings.md](../findings.md).\n")
    for program in sorted(FOUND_IN):
        run = subprocess.run([build / "tests" / "subjects" / f"finding_{program}"], capture_output=True, text=True)
        print(f"## {program}\n\nThe program ends with status {run.returncode} and prints\n\n```\n{run.stdout.strip()}\n```\n")
        if not FOUND_IN[program]:
            continue
        print(f"`gradproof verify --seconds {seconds}`, its default seed, the operator alone:\n")
        print("| subject | operator | found after | case number | elements of the small case's largest tensor |")
        print("|---|---|---|---|---|")
        for subject, operator in FOUND_IN[program]:
            print(verify(source, build, subject, operator, program, seconds))
        print()


main()
