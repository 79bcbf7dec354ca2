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

    def test_results_are_not_broadcast(self):
        for result, text in ((torch.tensor(1.0), r"shape \(\)"), (torch.ones(1, 2), r"shape \(1, 2\)"),
                             (torch.ones(1, 1, 2, 2) * 1j, "dtype complex64, which FLOAT cannot hold")):
            header, data = padded().message()
            got = Kernel(PAD, lambda left: result, "torch").perform(header, data)
            self.assertRegex(got["failed"], f"the result has {text}")

    def test_results_are_rounded_once(self):
        header, data = padded(type="BF16").message()
        above = torch.full((1, 1, 2, 2), 1 + 2.0**-8 + 2.0**-40, dtype=torch.float64)
        Kernel(PAD, lambda left: above, "torch").perform(header, data)
        self.assertEqual(np.frombuffer(data[-1], np.uint16).tolist(), [0x3F81] * 4)

    def test_inputs_that_are_written(self):
        for type_name in ("FLOAT", "BF16"):
            header, data = padded(type=type_name).message()
            got = Kernel(PAD, lambda grad_output, grad_input: grad_input.copy_(grad_output.add_(1)[..., :2, :2]), "torch").perform(header, data)
            self.assertEqual(got, {"failed": "the kernel has written into grad_output"})

    def test_a_call_takes_torch_tensors(self):
        call = Call(PAD, grad_output=torch.ones(1, 1, 2, 2, dtype=torch.bfloat16), left=1)
        self.assertEqual(call.type, "BF16")


if __name__ == "__main__":
    unittest.main()
