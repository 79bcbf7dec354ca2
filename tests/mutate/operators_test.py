#!/usr/bin/env python3
"""Mutants are other programs: each differs in one place, which is no comment, string or template."""
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import mutate
import operators

SOURCE = """\
// a < b in a comment
#include <vector>
namespace x {
std::vector<int> rows(int count) {
  if (count < 3 && !done(count)) return {};
  log("1 + 1 < 3");  // and 2 < 3
  /* several
     lines < 5 */
  total += std::min(count, 7);
  release(total);
  return a
      - 1;
}
"""


def found(line):
    return {(m.kind, m.old, m.new) for m in operators.of_file("f.cpp", SOURCE) if m.line == line}


class Operators(unittest.TestCase):
    def test_everything_that_stands_in_a_line(self):
        self.assertEqual(found(5), {("relation", "<", "<="), ("relation", "<", ">="), ("logic", "&&", "||"),
                                    ("negation", "!", ""), ("number", "3", "4")})
        self.assertEqual(found(9), {("assignment", "+=", "-="), ("word", "std::min", "std::max"), ("number", "7", "8"),
                                    ("statement", "total += std::min(count, 7)", "")})
        self.assertIn(("statement", "release(total)", ""), found(10))

    def test_nothing_else(self):
        self.assertEqual({m.line for m in operators.of_file("f.cpp", SOURCE)} & {1, 2, 3, 4, 7, 8}, set())
        self.assertEqual({kind for kind, _, _ in found(6)}, {"statement"})
        self.assertIn(("statement", 'log("1 + 1 < 3")', ""), found(6))

    def test_a_mutant_differs_in_its_place(self):
        for mutant in operators.of_file("f.cpp", SOURCE):
            changed = mutant.apply(SOURCE)
            self.assertNotEqual(changed, SOURCE)
            lines = [(a, b) for a, b in zip(SOURCE.split("\n"), changed.split("\n")) if a != b]
            self.assertEqual(len(lines), 1)
            before, after = lines[0]
            self.assertEqual(after[:mutant.column], before[:mutant.column])
            self.assertEqual(after[mutant.column + len(mutant.new):], before[mutant.column + len(mutant.old):])


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "opt/ops").mkdir(parents=True)
        (self.root / "opt/ops/f.cpp").write_text(SOURCE)
        self.mutants = operators.of_file("opt/ops/f.cpp", SOURCE)

    def explain(self, text):
        (self.root / "explained.txt").write_text(text)
        with unittest.mock.patch.object(mutate, "HERE", self.root):
            return mutate.Explained(self.root)

    def test_the_score_leaves_out_what_no_caller_can_tell(self):
        reasons = self.explain("# the log only\nopt/ops/f.cpp\nrelease(total); => ;\n")
        told = next(m for m in self.mutants if m.old == "release(total)")
        others = [m for m in self.mutants if m.line == 5]
        results = [(told, "survived", 1, ""), (others[0], "found", 1, ""), (others[1], "found", 1, ""),
                   (others[2], "survived", 1, ""), (others[3], "same code", 0, ""), (others[4], "does not compile", 0, "")]
        rows = mutate.table("folder", results, lambda m: "ops", reasons)
        self.assertEqual(rows[-1], "| all | 6 | 1 | 1 | 1 | 2 | 1 | 0 | 66.7 % |")

    def test_a_doubtful_finding_counts_as_none(self):
        results = [(self.mutants[0], "found", 1, ""), (self.mutants[1], "doubtful", 1, "failed: threads")]
        rows = mutate.table("folder", results, lambda m: "ops", self.explain(""))
        self.assertEqual(rows[-1], "| all | 2 | 0 | 0 | 0 | 1 | 0 | 1 | 50.0 % |")

    def test_the_exit_status_is_0_where_enough_of_those_that_count_are_found(self):
        reasons, mutant = self.explain(""), self.mutants[0]
        for fates, status in (["found"], 0), (["found", "survived"], 1), (["found", "same code"], 0), (["same code"], 1), ([], 1):
            self.assertEqual(mutate.exit_status([(mutant, fate, 1, "") for fate in fates], reasons), status, fates)

    def test_an_explanation_of_a_line_that_is_gone_is_refused(self):
        with self.assertRaises(SystemExit) as refused:
            self.explain("# why\nopt/ops/f.cpp\nreturn 4; => return 5;\n")
        self.assertIn("return 4;", str(refused.exception))

    def test_the_explanations_fit_the_sources(self):
        mutate.Explained(pathlib.Path(__file__).resolve().parents[2])

    def test_a_rule_explains_lines_and_functions_of_a_folder(self):
        by_line, by_name = self.explain("# time\nopt/ops/\n/total \\+= /\n"), self.explain("# time\nopt/ops/\nin rows\n")
        self.assertEqual({m.line for m in self.mutants if by_line.reason(m)}, {9})
        self.assertEqual({m.line for m in self.mutants if by_name.reason(m)}, {5, 6, 9, 10, 12})
        self.assertFalse(any(self.explain("# time\nopt/kernels/\nin rows\n").reason(m) for m in self.mutants))


class Confirmation(unittest.TestCase):
    """The finding's case decides, on the mutant and on the unmodified library; where it passes, a second campaign."""

    CASE = "repro: gradproof repro 'pad in=FLOAT[1]' --library /b/lib.so --property threads"

    def confirmed(self, *of_mutant, unmodified, campaign=0, repro=CASE):
        shop = mutate.Workshop.__new__(mutate.Workshop)
        shop.library, shop.correct = pathlib.Path("/b/lib.so"), pathlib.Path("/b/unmodified/lib.so")
        statuses = list(of_mutant)

        def run(conformance, *words):
            self.assertEqual(conformance, "cann")
            if words[0] == "verify":
                return unittest.mock.Mock(returncode=campaign)
            self.assertEqual((words[0], words[1], words[2]), ("repro", "pad in=FLOAT[1]", "--library"))
            status = unmodified if words[3] == str(shop.correct) else statuses.pop(0)
            return unittest.mock.Mock(returncode=status)

        shop.run = run
        return shop.confirmed("cann", repro, ("verify", "--library", "/b/lib.so"))

    def test_it_fails_again_and_passes_on_the_unmodified_library(self):
        self.assertTrue(self.confirmed(1, unmodified=0))
        self.assertTrue(self.confirmed(0, 0, 1, unmodified=0))

    def test_the_campaign_fails_again(self):
        self.assertTrue(self.confirmed(0, 0, 0, unmodified=0, campaign=1))
        self.assertFalse(self.confirmed(0, 0, 0, unmodified=1, campaign=1))

    def test_a_campaign_fails_without_a_case(self):
        self.assertTrue(self.confirmed(unmodified=0, campaign=1, repro=""))
        self.assertFalse(self.confirmed(unmodified=0, campaign=0, repro=""))

    def test_it_does_not_fail_again(self):
        self.assertFalse(self.confirmed(0, 0, 0, unmodified=0))

    def test_it_fails_on_the_unmodified_library_too(self):
        self.assertFalse(self.confirmed(1, unmodified=1))


class Campaigns(unittest.TestCase):
    """Each conformance has a part of the time."""

    def fate(self, *finding_in):
        shop = mutate.Workshop.__new__(mutate.Workshop)
        shop.library, shop.options = pathlib.Path("/b/lib.so"), unittest.mock.Mock(seconds=40)
        self.seconds = {}

        def run(conformance, *words):
            self.seconds[conformance] = float(words[words.index("--seconds") + 1])
            status = int(conformance in finding_in)
            return unittest.mock.Mock(returncode=status, stdout="failed: x\nrepro: gradproof repro y\n", stderr="")

        shop.run, shop.confirmed = run, lambda conformance, repro, campaign: conformance in finding_in
        return shop.campaign()[0]

    def test_a_mutant_of_one_conformance_is_found(self):
        self.assertEqual(self.fate("documented"), "found")
        self.assertEqual(self.fate("cann"), "found")
        self.assertEqual(self.seconds, {"documented": 30.0, "cann": 10.0})

    def test_a_mutant_that_ends_the_process_while_it_is_loaded_is_found(self):
        shop = mutate.Workshop.__new__(mutate.Workshop)
        shop.library, shop.options = pathlib.Path("/b/lib.so"), unittest.mock.Mock(seconds=40)
        for why, fate in ("the process died of SIGABRT while it is loaded", "found"), ("no more threads", "doubtful"):
            shop.run = lambda *_, why=why: unittest.mock.Mock(returncode=2, stdout="", stderr=f"gradproof: /b/lib.so: {why}\n")
            self.assertEqual(shop.campaign()[0], fate)

    def test_a_mutant_of_none_survives(self):
        self.assertEqual(self.fate(), "survived")


class Again(unittest.TestCase):
    """What a run printed names the mutants of another one."""

    def test_what_was_not_found_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            (source / "opt").mkdir()
            (source / "opt/a.cpp").write_text("int f(int i) { return i < 3; }\nint g(int i) { return i < 4; }\n")
            mutants = list(operators.of_file("opt/a.cpp", (source / "opt/a.cpp").read_text()))
            self.assertGreater(len(mutants), 3)
            survived, doubtful, found, known = mutants[:4]
            printed = source / "printed"
            printed.write_text(f"1/4 survived 45.0 s: {survived.name()}\n2/4 doubtful 0.1 s: {doubtful.name()}; failed: x\n"
                               f"3/4 found 0.1 s: {found.name()}; failed: x\n4/4 survived 45.0 s: {known.name()}\n"
                               "4/4 survived 45.0 s: opt/gone.cpp:1:1: number: '1' becomes '2'\n")
            reasons = unittest.mock.Mock(reason=lambda mutant: "no caller can tell" if mutant == known else None)
            options = unittest.mock.Mock(source=source, again=printed, only=None)
            with unittest.mock.patch("mutate.subprocess.run", return_value=unittest.mock.Mock(stdout="opt/a.cpp\n")):
                self.assertEqual(mutate.draw(options, reasons), [survived, doubtful])


if __name__ == "__main__":
    sys.exit(unittest.main())
