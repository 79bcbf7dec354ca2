#!/usr/bin/env python3
"""Planted faults: patches that find their place in sources that have changed.

usage: faults.py apply PATCH ROOT TREE      writes the patched copies of the files into TREE
       faults.py check ROOT                 names every fault that does not fit the sources
       faults.py refresh ROOT               rewrites every patch as a diff of today's sources
       faults.py catalogue ROOT FILE        writes the list of faults for `gradproof selftest`

A fault is tests/faulty/faults/NAME.patch: lines "Field: value", then a unified diff.
  Description  what is wrong, in a sentence          Tracker   where it shipped; none: a defect of our own
  Operator     stem of one operator that suffers     Expected  kinds of check that should see it
  Sources      where a header is changed: the .cpp files that are compiled with it
  Alone        no, if a single call in a fresh process does not show it
  Elements     how large a counterexample's largest tensor may be: a number or "huge"; without it 64
  Reason       why the fault needs more than 64
  Conformance  in which the library is used, with the profile gradproof-NAME; without it documented

A patch is compared with the sources token by token: line numbers, layout and comments do not matter. The tokens that
it changes must be in its file. If they are there more than once, the tokens next to them decide: all must agree at one
place, or twice as many as at any other. Where a file is gone or has no such place, `refresh` looks for one in all of
opt/, where a third of the tokens must agree too.
"""
import difflib
import json
import pathlib
import re
import sys

from hunk import Hunk, Misfit, Tokens, decided

FIELDS = {"Description": None, "Tracker": "", "Operator": None, "Expected": None, "Sources": "", "Alone": "yes",
          "Elements": "64", "Reason": "", "Conformance": ""}


class Fault:
    """A patch: its fields, and the hunks of each file."""

    def __init__(self, path: pathlib.Path):
        self.path, self.hunks = path, {}
        head, *files = re.split(r"^--- a/.*\n\+\+\+ b/", path.read_text(), flags=re.M)
        given = dict(re.findall(r"^(\w+): (.*)$", head, re.M))
        self.fields = FIELDS | given
        missing = [field for field, value in self.fields.items() if value is None]
        if missing or given.keys() - FIELDS.keys():
            raise Misfit(f"missing fields: {missing}, unknown: {sorted(given.keys() - FIELDS.keys())}")
        if self.fields["Elements"] != "64" and not self.fields["Reason"]:
            raise Misfit("Elements needs a Reason")
        for file in files:
            name, _, diff = file.partition("\n")
            hunks = re.split(r"^@@.*\n", diff, flags=re.M)[1:]
            # Lines that begin otherwise are git's. An editor may have cut the blank of an empty line off.
            self.hunks[name] = [Hunk([line or " " for line in hunk.splitlines() if line[:1] in ("", " ", "+", "-")])
                                for hunk in hunks]

    def head(self) -> str:
        return "".join(f"{field}: {value}\n" for field, value in self.fields.items() if value != FIELDS[field])


class Sources:
    """The library's files, each read and cut into tokens once."""

    def __init__(self, root: pathlib.Path):
        self.root, self.read = root, {}

    def __getitem__(self, name: str) -> Tokens:
        if name not in self.read:
            if not (self.root / name).is_file():
                raise Misfit(f"{name} does not exist")
            self.read[name] = Tokens((self.root / name).read_text())
        return self.read[name]

    def patch(self, name: str, hunks: list) -> tuple:
        """The file with the hunks, and how many tokens agreed."""
        source, text, done, all_ = self[name], "", 0, 0
        try:
            fits = sorted(hunk.fit(source) for hunk in hunks)
        except Misfit as why:
            raise Misfit(f"{name} {why}") from None
        for begin, end, new, agree in fits:
            if begin < done:
                raise Misfit(f"{name} has two hunks at one place")
            text, done, all_ = text + source.text[done:begin] + new, end, all_ + agree
        return text + source.text[done:], all_

    def search(self, hunks: list) -> str:
        """The file of opt/ that has the hunks now; empty: none, or none for sure."""
        found = []
        for path in (self.root / "opt").rglob("*.*"):
            name = path.relative_to(self.root).as_posix()
            try:
                if path.suffix in (".h", ".cpp"):
                    found.append((self.patch(name, hunks)[1], name))
            except Misfit:
                continue
        size, found = sum(hunk.size for hunk in hunks), sorted(found, reverse=True)
        sure = decided([agree for agree, _ in found], size) and 3 * found[0][0] >= size
        return found[0][1] if sure else ""

    def apply(self, fault: Fault, follow: bool = False) -> dict:
        """The patched files, and their texts; `follow`: in whichever file a hunk is now."""
        patched = {}
        for name, hunks in fault.hunks.items():
            try:
                patched[name] = self.patch(name, hunks)[0]
            except Misfit:
                moved = self.search(hunks) if follow else ""
                if not moved:
                    raise
                patched[moved] = self.patch(moved, hunks)[0]
        compiled = fault.fields["Sources"].split()
        for name in compiled:
            self[name]
        if not patched:
            raise Misfit("it has no diff")
        if not compiled and not all(name.endswith(".cpp") for name in patched):
            raise Misfit("it changes a header and has no Sources")
        return patched

    def diff(self, fault: Fault) -> str:
        """The patch as a diff of today's sources."""
        text = fault.head()
        for name, new in self.apply(fault, follow=True).items():
            lines = self[name].text.splitlines(True), new.splitlines(True)
            text += "".join(difflib.unified_diff(*lines, f"a/{name}", f"b/{name}"))
        return text


def entry(fault: Fault) -> dict:
    """A fault as the catalogue has it."""
    fields = {field.lower(): value for field, value in fault.fields.items() if field != "Sources"}
    return {"name": fault.path.stem, "library": f"{fault.path.stem}.so", "defect": fields.pop("description"),
            **fields, "alone": fields["alone"] != "no"}


def main(what: str, *arguments: str) -> int:
    root = pathlib.Path(arguments[1 if what == "apply" else 0])
    sources, entries, misfits = Sources(root), [], 0
    patches = [pathlib.Path(arguments[0])] if what == "apply" else sorted((root / "tests/faulty/faults").glob("*.patch"))
    for path in patches:
        try:
            fault = Fault(path)
            if what == "catalogue":
                entries.append(entry(fault))
            elif what == "refresh":
                diff = sources.diff(fault)
                if diff != path.read_text():
                    path.write_text(diff)
                    print(f"{path.name} is rewritten")
            else:
                for name, text in sources.apply(fault).items():
                    if what == "apply":
                        copy = pathlib.Path(arguments[2]) / name
                        copy.parent.mkdir(parents=True, exist_ok=True)
                        copy.write_text(text)
        except Misfit as why:
            misfits += 1
            print(f"{path.name}: {why}", file=sys.stderr)
    if what == "catalogue":
        pathlib.Path(arguments[1]).write_text(json.dumps(entries, indent=1))
    return 1 if misfits or not patches else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__.split("\n\n")[1])
