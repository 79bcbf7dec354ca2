#!/usr/bin/env python3
"""words.py ROOT LIST: no page, comment, message or help text has a phrase of LIST, whose head says how it is written.

A phrase is found across the line break of a wrapped sentence too.
"""
import pathlib
import re
import sys

SUFFIXES = {".md", ".h", ".hpp", ".cpp", ".py", ".sh", ".cmake"}
NAMES = {"CMakeLists.txt", "run"}
SKIPPED = {"build", ".git", "corpus", "shared", "docs/results"}
LINE_START = re.compile(r"^[ \t]*(//[/!]?<?|#+|\*|>)?[ \t]*", re.M)


def phrases_of(path):
    """Pairs of a phrase and what its line says of it: the replacement, and the files that may have it."""
    found = {}
    for line in path.read_text().splitlines():
        fields = [field.strip() for field in line.split("#")[0].split("|")]
        if fields[0]:
            found[fields[0].lower()] = (fields[1], fields[2].split() if len(fields) > 2 else [])
    return found


def texts(root):
    """Names of files below root whose text people read."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if any(name == s or name.startswith(s + "/") for s in SKIPPED):
            continue
        if (path.suffix in SUFFIXES or path.name in NAMES) and path.is_file():
            yield name


def line_of(text, words):
    """The number of the first line that has the phrase by itself."""
    for number, line in enumerate(text.lower().splitlines(), 1):
        if words.search(line):
            return number
    return "across lines"


def main(root, listing):
    phrases = phrases_of(listing)
    if len(phrases) <= 10:
        sys.exit(f"{listing}: only a few phrases")
    words = {p: re.compile(rf"(?<!\w){re.escape(p)}(?!\w)") for p in phrases}
    bad = files = 0
    for name in texts(root):
        files += 1
        text = (root / name).read_text(errors="replace")
        flat = re.sub(r"[ \n]+", " ", LINE_START.sub("", text)).lower()
        for phrase, (instead, allowed) in phrases.items():
            if phrase in flat and name not in allowed and words[phrase].search(flat):
                print(f"{name}:{line_of(text, words[phrase])}: '{phrase}' is retired; use: {instead}")
                bad = 1
    if files <= 300:
        print(f"only {files} files were read")
        bad = 1
    return bad


sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
