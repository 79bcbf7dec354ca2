"""`gradproof.check`: a campaign over a function of this process."""
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import gradproof
from gradproof.calls import program
from gradproof.checking import _Server

PAD = "replication_pad2d_backward"


@gradproof.kernel(PAD)
def gradient(grad_output, sums, left, top):
    n, c, i, j = np.indices(grad_output.shape)
    h, w = np.clip(i - top, 0, sums.shape[2] - 1), np.clip(j - left, 0, sums.shape[3] - 1)
    np.add.at(sums, (n, c, h, w), grad_output)


def loses_a_row(grad_output, sums, left, top):
    gradient(grad_output[:, :, :-1], sums, left, top)


def of_program(text, *arguments):
    """What `gradproof` says of a program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.py"
        file.write_text(text)
        run = [program(), *arguments, "--exec", shlex.join([sys.executable, str(file)])]
        return subprocess.run(run, capture_output=True, text=True, check=False)


class Check(unittest.TestCase):
    def test_right(self):
        self.assertIn("0 failures", gradproof.check(gradient, cases=60))

    def test_wrong(self):
        with self.assertRaises(AssertionError) as caught:
            gradproof.check(loses_a_row, PAD, seconds=4)
        message = str(caught.exception)
        self.assertRegex(message, r"^failed: .* of replication_pad2d_backward: gradInput differs in")
        for part in ("gradOutput ", "expected gradInput ", "got gradInput "):
            self.assertIn(part, message)
        self.assertNotIn("--show", message)
        case = re.search(r"again: gradproof.check\(..., case='([^']*)'\)", message)[1]
        self.assertEqual(gradproof.check(gradient, case=case + " property=equivalence"), "passed: equivalence")
        self.assertRegex(gradproof.check(gradient, case=case), "^passed: equivalence, gradient-sum, [a-z, -]*$")
        with self.assertRaisesRegex(AssertionError, "gradInput differs"):
            gradproof.check(loses_a_row, PAD, case=case)

    def test_the_first_finding_ends_it(self):
        begin = time.monotonic()
        with self.assertRaises(AssertionError):
            gradproof.check(loses_a_row, PAD, seconds=120)
        self.assertLess(time.monotonic() - begin, 60)

    def test_timeout(self):
        goes_on = threading.Event()
        self.addCleanup(goes_on.set)

        def hangs(left):
            goes_on.wait()

        begin = time.monotonic()
        with self.assertRaisesRegex(AssertionError, "no response for 1 s"):
            gradproof.check(hangs, PAD, cases=1, timeout=1)
        self.assertLess(time.monotonic() - begin, 20)

    def test_names(self):
        with self.assertRaisesRegex(ValueError, "unknown operator 'no_such_operator'; operators: adaptive_max_pool3d_"):
            gradproof.check(gradient, "no_such_operator")
        with self.assertRaisesRegex(ValueError, f"gradient.* is a kernel of {PAD}, not of adaptive_max"):
            gradproof.check(gradient, "adaptive_max_pool3d_backward")
        with self.assertRaisesRegex(ValueError, "which operator does .*loses_a_row.* compute.* adaptive_max_pool3d_"):
            gradproof.check(loses_a_row)

    def test_a_long_name_of_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            long = Path(folder, "x" * 150)
            long.mkdir()
            with mock.patch.object(tempfile, "tempdir", str(long)):
                self.assertIn("0 failures", gradproof.check(gradient, cases=2))

    def test_bridges_that_are_ended(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch("threading.excepthook") as escaped, \
                tempfile.TemporaryFile() as half, open("/dev/null", "wb") as null, _Server(folder, {}, {}):
            half.write(b"half of")
            half.seek(0)
            before = threading.active_count()
            for files in ([], [half.fileno(), null.fileno()]):
                with socket.socket(socket.AF_UNIX) as bridge:
                    bridge.connect(f"{folder}/s")
                    if files:
                        socket.send_fds(bridge, [b"k"], files)
                    bridge.shutdown(socket.SHUT_WR)
                    self.assertEqual(bridge.recv(1), b"")  # closed by the server
            deadline = time.monotonic() + 10
            while threading.active_count() > before and time.monotonic() < deadline:
                time.sleep(0.01)
        escaped.assert_not_called()

    def test_exceptions(self):
        def function(left):
            raise RuntimeError("out of luck")

        with self.assertRaisesRegex(AssertionError, "^failed: .*: the kernel raised RuntimeError: out of luck\n  at .*test_check.py:.*, in function\n"):
            gradproof.check(function, PAD, cases=2)

    def test_nothing_computed(self):
        def function(left):
            raise gradproof.NotSupported("not today")

        with self.assertRaisesRegex(AssertionError, "nothing was tested.*\n.*not supported by the kernel: not today"):
            gradproof.check(function, PAD, cases=5)
        case = f"{PAD} gradOutput=FLOAT[1,1,1]:ND self=FLOAT[1,1,1]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,1]:ND"
        with self.assertRaisesRegex(AssertionError, "nothing was tested.*\n(?s:.*)not supported by the kernel: not today"):
            gradproof.check(function, PAD, case=case)

    def test_memory_that_a_program_keeps(self):
        text = f"""import gradproof, numpy
kept = []
@gradproof.kernel("{PAD}")
def gradient(grad_output, sums):
    kept.append(numpy.ones(50000))
    sums += grad_output
gradproof.serve()
"""
        case = f"{PAD} gradOutput=FLOAT[1,1,1]:ND self=FLOAT[1,1,1]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,1]:ND"
        done = of_program(text, "repro", case, "--property", "no-leak")
        self.assertRegex(done.stdout, "failed: no-leak of .*each call leaves 4[0-9]{5} bytes of resident memory")

    def test_a_profile_that_is_none(self):
        done = of_program(f"""import gradproof
@gradproof.kernel("{PAD}")
def gradient(grad_output):
    pass
gradproof.serve(profile="nothing")
""", "verify", "--cases", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the greeting of the program, names 'nothing', which is neither a .json file nor a shipped profile (", done.stderr)

    def test_one_case(self):
        case = f"{PAD} gradOutput=FLOAT[1,1,1]:ND self=FLOAT[1,1,1]:ND padding=0,0,0,0 gradInput=FLOAT[1,1,1]:ND"
        self.assertRegex(gradproof.check(gradient, case=case), "^passed: .*equivalence")
        with self.assertRaises(AssertionError) as raised:
            gradproof.check(lambda grad_output: grad_output + 1, PAD, case=case)
        message = str(raised.exception)
        self.assertRegex(message, "^failed: equivalence of .*\n.*\nagain: ")
        self.assertEqual(message.count("again: "), 1)
        self.assertNotRegex(message, "(?m)^(passed|not checked|runtime|operators): ")

    def test_usage(self):
        with self.assertRaisesRegex(RuntimeError, "nowhere.json"):
            gradproof.check(gradient, cases=1, profile="nowhere.json")


if __name__ == "__main__":
    unittest.main()
