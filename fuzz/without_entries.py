#!/usr/bin/env python3
"""Writes a profile without some of its entries, so that a fuzzer makes the calls that they keep it from.

usage: without_entries.py PROFILE ID… >FILE

PROFILE is a file or the name of a shipped profile. Exit status: 2 if it has no entry with such an id.
"""
import json
import pathlib
import sys

SHIPPED = pathlib.Path(__file__).resolve().parents[1] / "props/profiles/shipped"


def main(name, *ids):
    shipped = SHIPPED / f"{name}.json"
    profile = json.loads((shipped if shipped.is_file() else pathlib.Path(name)).read_text())
    entries = profile.get("entries", [])
    there = {entry["id"] for entry in entries}
    if unknown := [one for one in ids if one not in there]:
        print(f"run: {name} has no entry '{unknown[0]}'; there are: {', '.join(sorted(there)) or 'none'}", file=sys.stderr)
        return 2
    profile["entries"] = [entry for entry in entries if entry["id"] not in ids]
    for entry in profile["entries"]:  # the order among those that stay
        if "over" in entry:
            entry["over"] = [one for one in entry["over"] if one not in ids]
            if not entry["over"]:
                del entry["over"]
    json.dump(profile, sys.stdout, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
