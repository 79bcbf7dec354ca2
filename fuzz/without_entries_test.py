#!/usr/bin/env python3
"""A profile without an entry makes the calls that the entry kept from being made, and is as before otherwise."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

import without_entries

PROFILE = {"profile": "mine", "promises": ["services"], "entries": [
    {"id": "crash/wide", "then": {"untested": True}},
    {"id": "crash/empty", "then": {"untested": True}, "over": ["crash/wide"]},
    {"id": "view", "then": {"status": 0}, "over": ["crash/wide", "crash/empty"]}]}


class WithoutEntries(unittest.TestCase):
    def without(self, *ids):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mine.json"
            file.write_text(json.dumps(PROFILE))
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = without_entries.main(str(file), *ids)
            return status, out.getvalue(), err.getvalue()

    def test_the_entry_is_gone_and_others_no_longer_name_it(self):
        status, text, _ = self.without("crash/wide")
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(text), {"profile": "mine", "promises": ["services"], "entries": [
            {"id": "crash/empty", "then": {"untested": True}},
            {"id": "view", "then": {"status": 0}, "over": ["crash/empty"]}]})

    def test_several(self):
        entries = json.loads(self.without("crash/wide", "crash/empty")[1])["entries"]
        self.assertEqual(entries, [{"id": "view", "then": {"status": 0}}])

    def test_an_entry_that_there_is_not(self):
        status, text, error = self.without("crash/wide", "crash/narrow")
        self.assertEqual((status, text), (2, ""))
        self.assertIn("no entry 'crash/narrow'; there are: crash/empty, crash/wide, view", error)

    def test_a_shipped_profile_goes_by_its_name(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(without_entries.main("cann", "view/dense"), 0)
        self.assertNotIn("view/dense", out.getvalue())


if __name__ == "__main__":
    sys.exit(unittest.main())
