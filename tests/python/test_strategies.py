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
    return {name: made.function for name, made in _served.items()}


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


if __name__ == "__main__":
    unittest.main()
