"""Lists the regions of code that never ran, a line each: file:line and the line's text.

usage: llvm-cov export … | never_run.py SOURCE_DIR

A function that the compiler made several times (a template, an inline function in several programs) is one
piece of source: a region ran if it did in one of them.
"""
import json
import pathlib
import sys

CODE = 0  # the kind of regions that are code, not expansions, gaps or skipped text

root = pathlib.Path(sys.argv[1])
export = json.load(sys.stdin)["data"][0]
wanted = {file["filename"] for file in export["files"]}
ran = {}
for function in export["functions"]:
    for line, column, end_line, end_column, count, file, _, kind in function["regions"]:
        name = function["filenames"][file]
        if kind == CODE and name in wanted:
            place = (name, line, column, end_line, end_column)
            ran[place] = ran.get(place, False) or count > 0
for name, line, *_ in sorted(place for place, did in ran.items() if not did):
    text = pathlib.Path(name).read_text(encoding="utf-8").splitlines()[line - 1].strip()
    print(f"    {pathlib.Path(name).relative_to(root)}:{line}: {text}")
