#!/usr/bin/env python3
"""Patches find their place after lines moved, were laid out anew or got other neighbours, and nowhere else."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("faults.py")
FILE = "opt/a.cpp"
SOURCE = """\
// Checks extents.
#include "opt/a.h"

bool fits(int extent, int count) {
  if (extent < 1) return false;
  return extent <= count;
}

bool lies(int extent, int count) {
  if (count < 1) return false;
  return extent <= count;
}
"""
HEAD = "Description: One too many fits.\nOperator: any\nExpected: ERR\n"
PATCH = HEAD + """\
--- a/opt/a.cpp
+++ b/opt/a.cpp
@@ -3,5 +3,5 @@

 bool fits(int extent, int count) {
   if (extent < 1) return false;
-  return extent <= count;
+  return extent <= count + 1;
 }
"""


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.patch = self.root / "tests/faulty/faults/one_more.patch"
        self.write(self.patch, PATCH)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def call(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True)

    def becomes(self, source, expected):
        self.write(FILE, source)
        run = self.call("apply", self.patch, self.root, self.root / "tree")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual((self.root / "tree" / FILE).read_text(), expected)

    def refused(self, why, source=SOURCE, what="check"):
        self.write(FILE, source)
        run = self.call(what, self.root)
        self.assertEqual(run.returncode, 1)
        self.assertIn(why, run.stderr)

    def test_the_place_where_the_context_agrees(self):
        self.becomes(SOURCE, SOURCE.replace("count;\n}\n\nbool lies", "count + 1;\n}\n\nbool lies"))

    def test_lines_and_neighbours_that_changed(self):
        source = SOURCE[:SOURCE.index("bool lies")].replace("// Checks", "// A longer\n// text:").replace("< 1)", "< 2)  // or so\n   ")
        self.becomes(source, source.replace("count;", "count + 1;"))

    def test_another_layout(self):
        source = "bool fits(int extent,\n          int count) {\n  return extent <=\n      count;  // all\n}\n"
        self.becomes(source, source.replace("count;", "count + 1;"))

    def test_places_that_are_alike_are_refused(self):
        twice = "bool f() { return extent <= count; }\nbool g() { return extent <= count; }\n"
        for source in twice, SOURCE.replace("extent < 1", "extent < 2"):  # which leaves more of lies() than of fits()
            self.refused("opt/a.cpp has what the patch changes at several places", source)

    def test_what_is_gone_is_refused(self):
        self.refused("opt/a.cpp does not have what the patch changes", "bool fits(int extent) { return extent < 7; }\n")
        (self.root / FILE).unlink()
        self.assertIn("one_more.patch: opt/a.cpp does not exist", self.call("check", self.root).stderr)

    def test_refresh_follows_a_file_and_adapts_the_lines(self):
        self.write("opt/b/c.cpp", "// First.\n" + SOURCE)
        self.assertEqual(self.call("refresh", self.root).stdout, "one_more.patch is rewritten\n")
        expected = PATCH.replace("a.cpp", "b/c.cpp").replace("-3,5 +3,5 @@\n\n", "-4,7 +4,7 @@\n \n")
        self.assertEqual(self.patch.read_text(), expected + " \n bool lies(int extent, int count) {\n")
        self.assertEqual(self.call("refresh", self.root).stdout, "")
        self.write("opt/d.cpp", SOURCE)
        (self.root / "opt/b/c.cpp").rename(self.root / "opt/e.cpp")
        self.refused("opt/b/c.cpp does not exist", what="refresh")  # two files have it

    def test_fields_are_checked(self):
        for text, why in ((PATCH.replace("Operator", "Operators"), "missing fields: ['Operator'], unknown: ['Operators']"),
                          ("Elements: huge\n" + PATCH, "Elements needs a Reason"),
                          ("Sources: opt/b.cpp\n" + PATCH, "opt/b.cpp does not exist"),
                          (HEAD, "it has no diff")):
            self.write(self.patch, text)
            self.refused(why)
        self.write("opt/a.h", SOURCE)
        self.write(self.patch, PATCH.replace("a.cpp", "a.h"))
        self.refused("it changes a header and has no Sources")


if __name__ == "__main__":
    unittest.main()
