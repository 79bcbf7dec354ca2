"""Exact values, bounds and verdicts through a `gradproof reference` (gradproof/calls.py)."""
import io
import subprocess
import unittest
from unittest import mock

import numpy as np

import gradproof
from gradproof import wire
from gradproof.calls import program

PAD = "replication_pad2d_backward"
POOL = "max_pool3d_with_argmax_backward"
ADAPTIVE = "adaptive_max_pool3d_backward"


class Reference(unittest.TestCase):
    def test_values(self):
        got = gradproof.reference(PAD, grad_output=np.array([[[[1, 2, 4]]]], np.float32), left=1)
        np.testing.assert_array_equal(got.exact, [[[[3, 4]]]])
        self.assertTrue(got.low[0, 0, 0, 0] < 3 < got.high[0, 0, 0, 0] < 3.00001)
        np.testing.assert_array_equal([got.low[0, 0, 0, 1], got.high[0, 0, 0, 1]], [4, 4])

    def test_types(self):
        for kind, width in ((np.float16, 2e-3), (np.float64, 1e-15), (np.complex64, 1e-6)):
            data = np.full((1, 1, 3, 3), 1 / 3, kind)
            got = gradproof.reference(PAD, grad_output=data, left=1, top=1)
            self.assertEqual(got.exact[0, 0, 0, 0], 4 * complex(data[0, 0, 0, 0]) if kind is np.complex64 else
                             4 * float(data[0, 0, 0, 0]))
            self.assertLess(abs(got.high - got.low).max() / 2, width)

    def test_scales_and_corners(self):
        got = gradproof.reference("upsample_bilinear2d_backward", grad_out=np.ones((1, 1, 1, 3), np.float32),
                                  shape=(1, 1, 1, 2), align_corners=True)
        np.testing.assert_allclose(got.exact, [[[[1.5, 1.5]]]])

    def test_positions(self):
        got = gradproof.reference("adaptive_max_pool3d_backward", grad_output=np.ones((1, 1, 1, 1, 3), np.float32),
                                  indices=np.array([[[[[1, 0, 1]]]]]), shape=(1, 1, 1, 1, 2))
        np.testing.assert_array_equal(got.exact, [[[[[1, 2]]]]])

    def test_profiles(self):
        ones = np.ones((1, 1, 1, 2), np.float32)
        call = {"grad_out": ones, "shape": (1, 1, 1, 3)}
        wide, exact = (gradproof.Call("upsample_bilinear2d_backward", profile=p, **call) for p in ("float-coordinates", None))
        near = np.array([[[[0.75, 0.5, 0.75]]]], np.float32) * np.float32(1 - 2**-20)
        wide.check(near)
        with self.assertRaisesRegex(AssertionError, "differs in 3 of 3 elements"):
            exact.check(near)
        self.assertIn("profile='float-coordinates'", repr(wide))
        with self.assertRaisesRegex(ValueError, "no profile or file is called 'nothing'; shipped profiles: "):
            gradproof.reference("upsample_bilinear2d_backward", profile="nothing", **call)

    def test_calls_that_are_not_valid(self):
        ones = np.ones((1, 1, 2, 2), np.float32)
        with self.assertRaisesRegex(ValueError, "breaks rule padding-value"):
            gradproof.reference(PAD, grad_output=ones, left=5, right=-4)
        with self.assertRaisesRegex(ValueError, "indices contains 9 at position 1, which must be at least 0 and less than 2"):
            gradproof.reference("adaptive_max_pool3d_backward", grad_output=np.ones((1, 1, 1, 1, 2), np.float32),
                                indices=np.array([[[[[0, 9]]]]]), shape=(1, 1, 1, 1, 2))
        with self.assertRaisesRegex(TypeError, "has no 'up'"):
            gradproof.reference(PAD, grad_output=ones, up=1)
        with self.assertRaisesRegex(TypeError, "no operator takes elements of type int64"):
            gradproof.reference(PAD, grad_output=np.ones((1, 1, 2, 2), np.int64))
        np.testing.assert_array_equal(gradproof.reference(PAD, grad_output=ones).exact, ones)  # it goes on

    def test_an_interrupted_call_leaves_no_answer_to_the_next_one(self):
        ones = np.ones((1, 1, 2, 2), np.float32)
        for interrupted in ("read_header", "read_exactly"):
            with mock.patch(f"gradproof.wire.{interrupted}", side_effect=KeyboardInterrupt):
                with self.assertRaises(KeyboardInterrupt):
                    gradproof.reference(PAD, grad_output=ones)
            np.testing.assert_array_equal(gradproof.reference(PAD, grad_output=2 * ones).exact, 2 * ones)


class Arguments(unittest.TestCase):
    def test_a_program_that_is_none(self):
        with mock.patch.dict("os.environ", {"GRADPROOF": "/nowhere/gradproof"}):
            with self.assertRaisesRegex(FileNotFoundError, "GRADPROOF is '/nowhere/gradproof', which is no program"):
                program()

    def test_a_result_that_is_none(self):
        with self.assertRaisesRegex(TypeError, "the result is None, which must be an array of numbers"):
            gradproof.Call(PAD, grad_output=np.ones((1, 1, 2, 2), np.float32)).check(None)

    def test_errors_name_them(self):
        ones, ones5 = np.ones((1, 1, 1, 1), np.float32), np.ones((1, 1, 1, 1, 1), np.float32)
        zeros5 = np.zeros(ones5.shape, int)
        pad, pool = {"grad_output": ones}, {"grad_output": ones5, "indices": zeros5, "shape": ones5.shape}
        for error, text, name, arguments in (
            (TypeError, "needs grad_output", PAD, {}),
            (TypeError, "needs indices", ADAPTIVE, {"grad_output": ones5, "shape": ones5.shape}),
            (TypeError, "needs mask: gradproof.masks.pack makes one of booleans", "max_pool2d_with_mask_backward", {**pad, "kernel_size": (1, 1)}),
            (TypeError, "no operator takes elements of type int32", PAD, {"grad_output": ones.astype(np.int32)}),
            (ValueError, "unknown type 'FLOAT7'; types: FLOAT, FLOAT16, BF16, ", PAD, {**pad, "type": "FLOAT7"}),
            (ValueError, "unknown type 'INT32'", PAD, {**pad, "type": "INT32"}),
            (ValueError, r"grad_output has shape \(1, 1\), which must have 4 dim", PAD, {"grad_output": ones[0, 0]}),
            (TypeError, "kernel_size is 2, which must be 3 integers", POOL, {**pool, "kernel_size": 2}),
            (TypeError, "kernel_size is 1.5, which must be an integer", POOL, {**pool, "kernel_size": (1, 1.5, 1)}),
            (TypeError, "ceil_mode is 'no', which must be True or False", POOL,
             {**pool, "kernel_size": (1, 1, 1), "ceil_mode": "no"}),
            (TypeError, "scale_h is nan, which must be a finite number", "upsample_bilinear2d_backward",
             {"grad_out": ones, "shape": ones.shape, "scale_h": np.nan}),
            (TypeError, "left is 1.5, which must be an integer", PAD, {**pad, "left": 1.5}),
            (TypeError, r"shape is \(1, 1\), which must be 4 integers", PAD, {**pad, "shape": (1, 1)}),
            (ValueError, r"gap and shape are 0 and \(1, 1, 1, -2\), which must not be neg", PAD, {**pad, "left": 3}),
            (ValueError, r"indices is 4294967297 at \[0,0,0,0,0\], which INT32 cannot hold", ADAPTIVE,
             {**pool, "indices": zeros5 + 2**32 + 1}),
            (ValueError, r"indices is 1.9 at \[0,0,0,0,0\], which INT32", ADAPTIVE, {**pool, "indices": zeros5 + 1.9}),
            (TypeError, "grad_output has dtype complex64, which FLOAT cannot hold", PAD,
             {"grad_output": ones.astype(np.complex64), "type": "FLOAT"}),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                gradproof.Call(name, **arguments)

    def test_numpy_numbers_and_arrays(self):
        data = np.ones((1, 1, 1, 1, 2), np.float32)
        got = gradproof.reference(POOL, grad_output=data, indices=np.array([[[[[0, 1]]]]], np.uint64),
                                  kernel_size=np.array([1, 1, 1]), stride=(np.int64(1), 1, 1), batched=np.bool_(True),
                                  shape=np.array(data.shape), gap=np.int8(1))
        np.testing.assert_array_equal(got.exact, data)
        got = gradproof.reference(PAD, grad_output=np.ones((1, 1, 1, 3)), left=np.int64(1), right=np.array(0))
        np.testing.assert_array_equal(got.exact, [[[[2, 1]]]])

    def test_byte_order(self):
        for kind in (">f2", ">f4", ">f8", ">c8"):
            got = gradproof.reference(PAD, grad_output=np.full((1, 1, 1, 3), 3, kind), left=1)
            np.testing.assert_array_equal(got.exact, [[[[6, 3]]]])


class Messages(unittest.TestCase):
    def test_what_is_no_call_is_answered(self):
        good, data = gradproof.Call(PAD, grad_output=np.ones((1, 1, 1, 3), np.float32), left=1).message()
        gradient = good["tensors"][0]
        wrong = (
            {"kernel": "replication_pad2d"},
            {"parameters": {"left": 1}},
            {"tensors": [{**gradient, "name": "self_made"}]},
            {"tensors": [{**gradient, "type": "FLOAT7"}]},
            {"tensors": [{**gradient, "offset": 1}]},
            {"tensors": [{**gradient, "strides": [1]}]},
            {"kernel": "max_pool2d_with_mask_backward", "tensors": [{**gradient, "name": "mask"}]},
            {"kernel": "adaptive_max_pool3d_backward", "tensors": [{**gradient, "name": "indices"}]},
        )
        messages = io.BytesIO()
        for change in wrong:
            header = {**good, **change}
            wire.write(messages, header, data[: len(header["tensors"])])
        wire.write(messages, good, data)
        done = subprocess.run([program(), "reference"], input=messages.getvalue(), capture_output=True, check=True)
        answers = io.BytesIO(done.stdout)
        for change in wrong:
            self.assertIn("failed", wire.read_header(answers) or {}, change)
        self.assertEqual(wire.read_header(answers)["tensors"][0]["name"], "exact")


class Verdicts(unittest.TestCase):
    def setUp(self):
        self.call = gradproof.Call(PAD, grad_output=np.array([[[[1, 2, 4]]]], np.float32), left=1)

    def test_right(self):
        self.call.check(np.array([[[[3, 4]]]], np.float32))

    def test_wrong(self):
        with self.assertRaisesRegex(AssertionError, r"1 of 2 elements.*\n  \[0,0,0,1\]: got 5.0, exact 4, allowed \[4, 4\]"):
            self.call.check(np.array([[[[3, 5]]]], np.float32))
        with self.assertRaisesRegex(AssertionError, "has shape"):
            self.call.check(np.zeros(3, np.float32))
        with self.assertRaisesRegex(TypeError, f"{PAD}: grad_input has dtype complex128, which FLOAT cannot hold"):
            self.call.check(np.array([[[[3, 4 + 1j]]]]))

    def test_bf16(self):
        call = gradproof.Call("adaptive_max_pool3d_backward", type="BF16", shape=(1, 1, 1, 1, 1),
                              grad_output=np.array([[[[[1, 1 / 3]]]]], np.float32), indices=np.zeros((1, 1, 1, 1, 2)))
        call.check(np.array([[[[[1.3359375]]]]], np.float32))
        with self.assertRaises(AssertionError):
            call.check(np.array([[[[[1.34375]]]]], np.float32))


if __name__ == "__main__":
    unittest.main()
