"""gradproof's kernels behind PyTorch's five gradients (examples/pytorch_extension) against ATen's in DOUBLE.

    test_gradients.py LIBRARY [unittest's arguments]
"""
import collections
import random
import sys
import threading
import unittest

import torch
from torch.nn import functional as F

from bound import aten, beyond_bound
from draw import DRAWN

name_of = lambda operator: str(operator).removeprefix("aten.")


def counted(call):
    """What `call` returns, and what it added to the counts."""
    before = torch.ops.gradproof.counts()
    result = call()
    return result, {k: n - before.get(k, 0) for k, n in torch.ops.gradproof.counts().items() if n != before.get(k, 0)}


class Drawn(unittest.TestCase):
    def types(self, draw):
        return [torch.float32, torch.float16] + ([torch.float64, torch.complex64, torch.complex128]
                                                 if draw.__name__ == "replication_pad2d" else [torch.bfloat16])

    def test_results_are_within_the_bound(self):
        equal = collections.Counter()
        for draw in DRAWN:
            for dtype in self.types(draw):
                source = random.Random(f"{draw.__name__} {dtype}")
                torch.manual_seed(source.randint(0, 1 << 30))
                for number in range(60):
                    operator, arguments, terms = draw(source, dtype)
                    with self.subTest(operator=name_of(operator), dtype=dtype, number=number):
                        result, counts = counted(lambda: operator(*arguments))
                        self.assertEqual(counts, {name_of(operator): 1})
                        self.assertEqual(beyond_bound(result, operator, *arguments, terms=terms), 0)
                        if dtype == torch.float32:
                            theirs = aten(operator, *[a.contiguous() if torch.is_tensor(a) else a for a in arguments])
                            equal[name_of(operator), torch.equal(result, theirs)] += 1
                            try:
                                theirs = aten(operator, *arguments)
                            except RuntimeError as error:  # of PyTorch 2, on a volume without samples in a format of images
                                self.assertIn("Unsupported memory format", str(error))
                                continue
                            self.assertEqual(result.stride(), theirs.stride())
        for (operator, same), count in sorted(equal.items()):
            print(f"{operator}, FLOAT: {count} calls {'bit-identical to' if same else 'other bits than'} ATen's")

    def test_out_forms_fill_strided_tensors(self):
        for draw in DRAWN:
            for dtype in self.types(draw):
                source = random.Random(f"{draw.__name__} {dtype} out")
                for number in range(10):
                    operator, arguments, terms = draw(source, dtype)
                    with self.subTest(operator=name_of(operator), dtype=dtype, number=number):
                        expected = operator(*arguments)
                        wide = torch.full((*expected.shape, 2), 7, dtype=dtype)
                        _, counts = counted(lambda: operator.grad_input(*arguments, grad_input=wide[..., 0]))
                        self.assertEqual(counts, {name_of(operator): 1})
                        self.assertTrue(torch.equal(wide[..., 0], expected))
                        self.assertTrue((wide[..., 1] == 7).all(), "gaps were written")


class Padding(unittest.TestCase):
    def test_gradcheck(self):
        for dtype in (torch.float64, torch.complex128):
            x = torch.randn(2, 3, 5, 4, dtype=dtype, requires_grad=True)
            for padding in ([1, 2, 0, 3], [3, 0, 1, 1], [0, 0, 0, 0]):
                passed, counts = counted(lambda: torch.autograd.gradcheck(lambda x: F.pad(x, padding, "replicate"), x))
                self.assertTrue(passed)
                self.assertTrue(torch.autograd.gradgradcheck(lambda x: F.pad(x, padding, "replicate"), x))
                self.assertEqual(list(counts), ["replication_pad2d_backward"])


class Aten(unittest.TestCase):
    """What gradproof refuses."""

    def falls_back(self, rule, operator, *arguments):
        result, counts = counted(lambda: operator(*arguments))
        self.assertEqual(counts, {f"{name_of(operator)}: {rule}": 1})
        self.assertTrue(torch.equal(result, aten(operator, *arguments)))

    def pool(self, x, dilation=1):
        y, indices = F.max_pool3d(x, 2, 1, 0, dilation, return_indices=True)
        return [torch.ops.aten.max_pool3d_with_indices_backward, torch.randn_like(y), x, [2] * 3, [1] * 3, [0] * 3, [dilation] * 3,
                False, indices]

    def test_computes_what_is_refused(self):
        self.falls_back("dtype", *self.pool(torch.randn(2, 3, 4, 5, 6, dtype=torch.float64)))
        self.falls_back("dilation-value", *self.pool(torch.randn(2, 3, 5, 5, 6), 2))
        self.falls_back("dim-value", *self.pool(torch.randn(0, 3, 4, 5, 6)))
        _, counts = counted(lambda: torch.ops.gradproof.use(False))
        _, counts = counted(lambda: self.pool(torch.randn(2, 3, 4, 5, 6))[0](*self.pool(torch.randn(2, 3, 4, 5, 6))[1:]))
        torch.ops.gradproof.use(True)
        self.assertEqual(counts, {})

    def test_no_index_leads_outside(self):
        x = torch.randn(1, 1, 4, 4)
        y, indices = F.max_pool2d(x, 2, return_indices=True)
        for index, message in ((2**32 + 1, "INT32"), (-1, "negative"), (16, "position")):
            indices[0, 0, 1, 1] = index
            with self.assertRaisesRegex(RuntimeError, message):
                torch.ops.aten.max_pool2d_with_indices_backward(y, x, [2, 2], [2, 2], [0, 0], [1, 1], False, indices)


class Threads(unittest.TestCase):
    def test_several_at_once(self):
        source, failures = random.Random(1), []
        calls = [draw(source, torch.float32) for draw in DRAWN for _ in range(8)]
        expected = [operator(*arguments) for operator, arguments, _ in calls]

        def work():
            for _ in range(5):
                for (operator, arguments, _), result in zip(calls, expected):
                    if not torch.equal(operator(*arguments), result):
                        failures.append(name_of(operator))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_number_changes_no_bit(self):
        source, before = random.Random(2), torch.get_num_threads()
        for draw in DRAWN:
            operator, arguments, _ = draw(source, torch.float32)
            results = []
            for threads in (1, 2, 5):
                torch.set_num_threads(threads)
                results.append(operator(*arguments))
            torch.set_num_threads(before)
            self.assertTrue(all(torch.equal(results[0], r) for r in results))


if __name__ == "__main__":
    torch.ops.load_library(sys.argv.pop(1))
    unittest.main()
