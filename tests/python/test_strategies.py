"""Strategies of calls for Hypothesis (gradproof/strategies.py)."""
import importlib
import os
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

_folder = tempfile.TemporaryDirectory()  # else Hypothesis makes one in the working directory
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = _folder.name

import gradproof
from hypothesis import find, given, settings
from gradproof.kernels import _served
from gradproof.operators import OPERATORS
from gradproof.strategies import calls


def load_kernels() -> dict:
    """The kernels of examples/subjects/numpy_kernels.py."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "subjects"))
    serve, gradproof.serve = gradproof.serve, lambda **_: None
    try:
        importlib.import_module("numpy_kernels")
    finally:
        gradproof.serve = serve
    return {name: made[-1].function for name, made in _served.items()}


class Strategies(unittest.TestCase):
    def test_right_kernels(self):
        kernels = load_kernels()
        self.assertEqual(kernels.keys(), OPERATORS.keys())
        for name, function in kernels.items():
            with self.subTest(name):
                settings(max_examples=60, deadline=None, database=None)(given(calls(name))(lambda c: c.check(function)))()

    def test_shrinks(self):
        def wrong(call) -> bool:
            try:
                call.check(lambda grad_output: np.repeat(grad_output[:, :, :1], call.shape[2], 2)[..., : call.shape[3]])
            except AssertionError:
                return True
            return False

        smallest = find(calls("replication_pad2d_backward"), wrong, settings=settings(database=None, deadline=None))
        self.assertLessEqual(smallest.inputs["grad_output"].size, 4)

    def test_types(self):
        self.assertEqual(find(calls("replication_pad2d_backward", ("DOUBLE",)), lambda c: True).type, "DOUBLE")
        with self.assertRaisesRegex(ValueError, "unknown operator"):
            calls("pad")
        for types in (["BF16"], [], "FLOAT"):
            with self.assertRaisesRegex(ValueError, "types is .*; types: FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128"):
                calls("replication_pad2d_backward", types)

    def test_what_is_drawn(self):
        options = settings(database=None, deadline=None)
        for name in OPERATORS.keys() - {"upsample_bilinear2d_backward"}:
            self.assertFalse(find(calls(name), lambda c: not c.parameters["batched"], settings=options).parameters["batched"])
        cropped = find(calls("replication_pad2d_backward"), lambda c: c.parameters["left"] < 0 < c.parameters["right"], settings=options)
        cropped.check(load_kernels()["replication_pad2d_backward"])


if __name__ == "__main__":
    unittest.main()
