"""Kernels and calls with torch tensors (gradproof/kernels.py, gradproof/calls.py)."""
import unittest

import numpy as np
import torch

from gradproof.calls import Call
from gradproof.kernels import Kernel
from test_kernels import PAD, padded


class Torch(unittest.TestCase):
    def test_tensors_have_their_strides_and_types(self):
        seen = []
        header, data = padded(type="BF16", gap=1).message()

        def function(grad_output, grad_input):
            seen.append(grad_output)
            grad_input.fill_(1.5)

        self.assertEqual(Kernel(PAD, function, "torch").perform(header, data), {"bytes": len(data[-1])})
        self.assertEqual(seen[0].dtype, torch.bfloat16)
        self.assertEqual(seen[0].stride(), (12, 12, 6, 2))
        self.assertEqual(seen[0].tolist(), [[[[0, 1, 2], [3, 4, 5]]]])
        self.assertEqual(np.frombuffer(data[-1], np.uint16)[::2].tolist(), [0x3FC0] * 4)

    def test_a_call_takes_torch_tensors(self):
        call = Call(PAD, grad_output=torch.ones(1, 1, 2, 2, dtype=torch.bfloat16), left=1)
        self.assertEqual(call.type, "BF16")


if __name__ == "__main__":
    unittest.main()
