"""What a kernel is given, and what its answers become (gradproof/kernels.py)."""
import functools
import subprocess
import sys
import unittest

import numpy as np

import gradproof
from gradproof.calls import Call
from gradproof.kernels import Kernel, _served, kernel_of
from gradproof.masks import pack

PAD = "replication_pad2d_backward"
POOL = "max_pool2d_with_mask_backward"


def padded(**more):
    return Call(PAD, grad_output=np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3), left=1, **more)


def answer(function, call=None, name=PAD):
    header, data = (call or padded()).message()
    return Kernel(name, function, "numpy").perform(header, data)


class Names(unittest.TestCase):
    def test_unknown(self):
        with self.assertRaisesRegex(ValueError, "has no 'padding'; there are: batched, .* grad_output, .* sums"):
            gradproof.kernel(PAD)(lambda grad_output, padding: None)
        with self.assertRaisesRegex(ValueError, "unknown operator 'pad'; operators: adaptive_max_pool3d_backward, max_pool2d"):
            gradproof.kernel("pad")

        with self.assertRaisesRegex(ValueError, "arrays is 'jax', which must be 'numpy' or 'torch'"):
            gradproof.kernel(PAD, arrays="jax")(lambda grad_output: None)

    def test_parameters_with_defaults(self):
        self.assertEqual(answer(functools.partial(lambda left, extra, more=2: np.full((1, 1, 2, 2), extra + more), extra=1))["bytes"], 16)
        self.assertEqual(answer(lambda *left: np.zeros((1, 1, 2, 2)))["bytes"], 16)
        with self.assertRaisesRegex(ValueError, "has no 'extra'"):
            answer(lambda left, extra: None)

    def test_what_cannot_be_served(self):
        two = f"import gradproof\n@gradproof.kernel('{PAD}')\ndef one(left): pass\n@gradproof.kernel('{PAD}')\ndef two(left): pass\n"
        for program, text in (("import gradproof\n", "no function is a kernel; mark one with @gradproof.kernel"),
                              (two, f"{PAD} has 2 kernels: one, two"), (two.replace("two", "one"), "has 2 kernels: one, one")):
            done = subprocess.run([sys.executable, "-c", program + "gradproof.serve()"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertIn(text, done.stderr)

    def test_several_operators(self):
        @gradproof.kernel("adaptive_max_pool3d_backward")
        @gradproof.kernel("max_pool3d_with_argmax_backward")
        def pool(grad_output, sums):
            pass

        for name in ("adaptive_max_pool3d_backward", "max_pool3d_with_argmax_backward"):
            self.assertEqual(kernel_of(pool, name).name, name)
            self.assertIs(_served[name][-1].function, pool)
        with self.assertRaisesRegex(ValueError, "which operator .* max_pool3d_with_argmax_backward, adaptive_max"):
            kernel_of(pool)
        with self.assertRaisesRegex(ValueError, f"is a kernel of .*, not of {PAD}"):
            padded().run(pool)

    def test_a_wrapper_is_not_what_it_wraps(self):
        @gradproof.kernel(PAD)
        def zeros(sums):
            pass

        @functools.wraps(zeros)
        def ones(sums):
            sums += 1

        np.testing.assert_array_equal(padded().run(ones), np.ones((1, 1, 2, 2)))
        with self.assertRaisesRegex(ValueError, "which operator does .* compute"):
            kernel_of(ones)

    def test_all_of_them(self):
        seen = {}
        answer(lambda **everything: seen.update(everything))
        self.assertEqual(seen.keys(), {"grad_output", "grad_input", "left", "right", "top", "bottom", "batched"})


class Answers(unittest.TestCase):
    def test_three_ways(self):
        def writes(grad_input):
            grad_input[...] = 7

        def adds(sums):
            sums += 7

        for function in (writes, adds, lambda grad_input: np.full(grad_input.shape, 7.0)):
            np.testing.assert_array_equal(padded().run(function), np.full((1, 1, 2, 2), 7))
            np.testing.assert_array_equal(padded(type="BF16").run(function), np.full((1, 1, 2, 2), 7))
            np.testing.assert_array_equal(padded(gap=1).run(function), np.full((1, 1, 2, 2), 7))

    def test_not_supported(self):
        def function(left):
            raise gradproof.NotSupported(f"left is {left}")

        self.assertEqual(answer(function), {"not_supported": "left is 1"})

    def test_failures(self):
        def function(left):
            raise ZeroDivisionError("by\nnothing")

        text, place = answer(function)["failed"].rsplit("\n", 1)
        self.assertEqual(text, "the kernel raised ZeroDivisionError: by\nnothing")
        self.assertRegex(place, r"^at .*test_kernels\.py:[0-9]+, in function$")
        with self.assertRaisesRegex(AssertionError, "the kernel raised ZeroDivisionError: by"):
            padded().run(function)
        wrong = answer(lambda left: np.zeros(3))["failed"]
        self.assertEqual(wrong, "the kernel raised ValueError: the result has shape (3,), which must be (1, 1, 2, 2)")

    def test_whatever_is_raised(self):
        class Mute(Exception):
            def __str__(self):
                raise ValueError

        class Quiet(BaseException):  # as pytest's Failed and asyncio's CancelledError are
            pass

        for error, text in ((SystemExit("bye"), "SystemExit: bye"), (Quiet("no"), "Quiet: no"), (Mute(), r"Mute: \(its text cannot be had\)"),
                            (ValueError("\udc80\0é"), r"ValueError: \\udc80\0é"), (ValueError("x" * 3000), "ValueError: x{2000}…")):
            def function(left, error=error):
                raise error

            failed = answer(function)["failed"]
            self.assertRegex(failed, f"^the kernel raised {text}\nat ")
            failed.encode()

    def test_results_that_are_no_arrays(self):
        def generates(left):
            yield left

        for result, text in ((lambda left: "7", "of type str"), (lambda left: np.array([None]), "an array of dtype object"), (lambda left: [None], "of type list"), (generates, "of type generator")):
            self.assertIn(f"TypeError: the result is {text}, which must be an array of numbers", answer(result)["failed"])

    def test_inputs_that_are_written(self):
        def function(grad_output, grad_input):
            grad_input[...] = 7
            grad_output += 1

        for other in ({}, {"type": "BF16"}, {"gap": 1}):
            with self.assertRaisesRegex(AssertionError, "the kernel has written into grad_output$"):
                padded(**other).run(function)

    def test_positions_not_asked_for(self):
        call = Call(POOL, grad_output=np.ones((1, 1, 1, 1), np.float32), mask=pack(np.ones((1, 1, 1, 1, 1, 1), bool)),
                    kernel_size=(1, 1), shape=(1, 1, 1, 1))
        wrong = answer(lambda grad_output, indices: grad_output, call, POOL)["failed"]
        self.assertEqual(wrong, "the kernel takes 'indices', which need positions=True in gradproof.serve or gradproof.check")

    def test_maxima_in_the_padding_are_left_out(self):
        maxima = np.ones((1, 17, 2, 2, 2, 2), bool)
        call = Call(POOL, grad_output=np.ones((1, 17, 2, 2), np.float32), mask=pack(maxima), kernel_size=(2, 2),
                    padding=(1, 1), shape=(1, 17, 2, 2))
        seen = []
        answer(lambda maxima: seen.append(maxima), call, POOL)
        self.assertEqual(seen[0].shape, (1, 17, 2, 2, 2, 2))
        self.assertEqual(seen[0][0, 16].sum(), 4)
        self.assertTrue(seen[0][0, 16, 0, 0, 1, 1] and seen[0][0, 16, 1, 1, 0, 0])


if __name__ == "__main__":
    unittest.main()
