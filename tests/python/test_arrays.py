"""Element types and views (gradproof/arrays.py)."""
import unittest

import numpy as np

from gradproof.arrays import Tensor, rounded, to_bfloat16, widened

ALL = np.arange(1 << 16, dtype=np.uint16)


def described(kind, shape, strides, offset, storage):
    size = np.dtype({"BF16": np.uint16, "FLOAT": np.float32}[kind]).itemsize
    return {"name": "x", "type": kind, "shape": shape, "strides": strides, "offset": offset, "storage": storage,
            "bytes": storage * size}


class Bfloat16(unittest.TestCase):
    def test_every_number_comes_back(self):
        numbers = ALL[~np.isnan(widened(ALL))]
        np.testing.assert_array_equal(to_bfloat16(widened(numbers)), numbers)
        np.testing.assert_array_equal(to_bfloat16(widened(numbers).astype(np.float64)), numbers)
        self.assertTrue(np.isnan(widened(to_bfloat16(widened(ALL[np.isnan(widened(ALL))])))).all())

    def test_ties_go_to_even(self):
        half = 2.0**-8
        self.assertEqual(widened(to_bfloat16(np.array([1 + half])))[0], 1)
        self.assertEqual(widened(to_bfloat16(np.array([1 + 3 * half])))[0], 1 + 4 * half)

    def test_doubles_are_rounded_once(self):
        # Over float32 each of these would become a tie first.
        for tie, up in ((1 + 2.0**-8, 1 + 2.0**-7), (-1 - 2.0**-8, -1 - 2.0**-7)):
            self.assertEqual(widened(to_bfloat16(np.array([tie * (1 + 2.0**-40)])))[0], up)
        below = (1 + 3 * 2.0**-8) * (1 - 2.0**-40)
        self.assertEqual(widened(to_bfloat16(np.array([below])))[0], 1 + 2.0**-7)

    def test_wider_types_are_rounded_once(self):
        tie = 2**40 + 2**32  # between two BF16 numbers; the smaller one is even
        for kind in (np.int64, np.uint64, np.longdouble):
            got = widened(to_bfloat16(np.array([tie, tie + 1], kind)))
            np.testing.assert_array_equal(got, [2**40, 2**40 + 2**33])
        # In double it would be a tie: of BF16 too.
        self.assertEqual(widened(to_bfloat16(np.array([2**62 + 2**54 + 1])))[0], 2**62 + 2**55)
        above = np.longdouble(1) + np.longdouble(2) ** -11 + np.longdouble(2) ** -60
        self.assertEqual(rounded(np.array([above]), "FLOAT16", "x")[0], 1 + 2.0**-10)

    def test_overflow(self):
        largest = widened(np.array([0x7F7F], np.uint16)).astype(np.float64)[0]
        np.testing.assert_array_equal(
            widened(to_bfloat16(np.array([largest, largest * 1.01, -1e300, np.inf]))), [largest, np.inf, -np.inf, np.inf]
        )


class Views(unittest.TestCase):
    def test_strides_and_offset(self):
        data = memoryview(bytearray(np.arange(12, dtype=np.float32).tobytes()))
        view = Tensor(described("FLOAT", [2, 2], [4, 2], 3, 12), data)
        np.testing.assert_array_equal(view.array, [[3, 5], [7, 9]])
        view.assign(np.zeros((2, 2)))
        np.testing.assert_array_equal(np.frombuffer(data, np.float32), [0, 1, 2, 0, 4, 0, 6, 0, 8, 0, 10, 11])

    def test_bf16_keeps_what_is_not_written(self):
        bits = np.array([0x7FC1, 0x3F80, 0xFFA5, 0x4000], np.uint16)  # NaNs with payloads among them
        data = memoryview(bytearray(bits.tobytes()))
        view = Tensor(described("BF16", [2], [2], 1, 4), data)
        np.testing.assert_array_equal(view.array, [1, 2])
        view.array[0] = 1 + 2.0**-9
        view.array[1] = -3
        view.collect()
        np.testing.assert_array_equal(np.frombuffer(data, np.uint16), [0x7FC1, 0x3F80, 0xFFA5, 0xC040])

    def test_any_stride_for_one_element(self):
        data = memoryview(bytearray(4))
        self.assertEqual(Tensor(described("FLOAT", [1, 1], [2**62, 1], 0, 1), data).array.shape, (1, 1))

    def test_wrong_shape(self):
        view = Tensor(described("FLOAT", [2], [1], 0, 2), memoryview(bytearray(8)))
        with self.assertRaisesRegex(ValueError, r"shape \(3,\), which must be \(2,\)"):
            view.assign(np.zeros(3))

    def test_no_imaginary_part_is_lost(self):
        view = Tensor(described("FLOAT", [2], [1], 0, 2), memoryview(bytearray(8)))
        with self.assertRaisesRegex(TypeError, "the result has dtype complex128, which FLOAT cannot hold"):
            view.assign(np.zeros(2, complex))


if __name__ == "__main__":
    unittest.main()
