"""`gradproof.check`: a campaign over a function of this process."""
import re
import unittest

import numpy as np

import gradproof

PAD = "replication_pad2d_backward"


@gradproof.kernel(PAD)
def gradient(grad_output, sums, left, top):
    n, c, i, j = np.indices(grad_output.shape)
    h, w = np.clip(i - top, 0, sums.shape[2] - 1), np.clip(j - left, 0, sums.shape[3] - 1)
    np.add.at(sums, (n, c, h, w), grad_output)


def loses_a_row(grad_output, sums, left, top):
    gradient(grad_output[:, :, :-1], sums, left, top)


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
        self.assertIn("passed: ", gradproof.check(gradient, case=case + " property=equivalence") + "passed: ")
        with self.assertRaisesRegex(AssertionError, "gradInput differs"):
            gradproof.check(loses_a_row, PAD, case=case)

    def test_names(self):
        with self.assertRaisesRegex(ValueError, "unknown operator 'no_such_operator'; operators: adaptive_max_pool3d_"):
            gradproof.check(gradient, "no_such_operator")
        with self.assertRaisesRegex(ValueError, f"gradient.* is a kernel of {PAD}, not of adaptive_max"):
            gradproof.check(gradient, "adaptive_max_pool3d_backward")
        with self.assertRaisesRegex(ValueError, "which operator does .*loses_a_row.* compute.* adaptive_max_pool3d_"):
            gradproof.check(loses_a_row)

    def test_exceptions(self):
        def function(left):
            raise RuntimeError("out of luck")

        with self.assertRaisesRegex(AssertionError, "^failed: .*: the kernel raised RuntimeError: out of luck\n  at .*test_check.py:.*, in function\n"):
            gradproof.check(function, PAD, cases=2)

    def test_nothing_computed(self):
        def function(left):
            raise gradproof.NotSupported("not today")

        with self.assertRaisesRegex(AssertionError, "nothing was tested"):
            gradproof.check(function, PAD, cases=5)

    def test_usage(self):
        with self.assertRaisesRegex(RuntimeError, "nowhere.json"):
            gradproof.check(gradient, cases=1, profile="nowhere.json")


if __name__ == "__main__":
    unittest.main()
