"""PyTorch's own samples (OpInfo) of the functions whose gradients the extension computes, and of their neighbours: gradients
with gradproof beside ATen's, and gradcheck in DOUBLE.

    test_opinfo.py LIBRARY; exit status 77: this PyTorch has no samples
"""
import collections
import sys
import types
import unittest
import warnings

import torch

NAMES = {"nn.functional.max_pool2d", "nn.functional.max_pool3d", "nn.functional.adaptive_max_pool2d",
         "nn.functional.adaptive_max_pool3d", "nn.functional.interpolate", "nn.functional.upsample_bilinear", "nn.functional.pad"}
# How far gradproof's elements may be from ATen's, in times of the largest: ATen adds in another order and computes coordinates in
# FLOAT. Its sums and coordinates in BF16 are not what the gradient is (docs/findings.md): there, its FLOAT is compared with.
TOLERANCE = {torch.float64: 1e-14, torch.complex128: 1e-14, torch.float32: 1e-5, torch.complex64: 1e-6, torch.bfloat16: 2.0**-7}


def samples():
    """PyTorch's table of operators. Its module imports `expecttest`, which Debian lacks; of that it needs a base class."""
    sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=False))
    arguments, sys.argv = sys.argv, sys.argv[:1]
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ImportError as missing:
        print(f"skipped: PyTorch's samples cannot be imported: {missing}")
        sys.exit(77)
    sys.argv = arguments
    return [op for op in op_db if op.name in NAMES]


def gradients(op, sample, use, dtype=None):
    """Of the input, for a gradient of ones and twos of the result; None where the function has none."""
    torch.ops.gradproof.use(use)
    x = sample.input.detach().to(dtype or sample.input.dtype).requires_grad_()
    y = op(x, *sample.args, **sample.kwargs)
    y = y[0] if isinstance(y, tuple) else y
    weights = (torch.arange(y.numel()) % 2 + 1).reshape(y.shape).to(y.dtype)
    return torch.autograd.grad(y, x, weights)[0] if y.requires_grad else None


def computed():
    """How many calls gradproof has computed."""
    return sum(count for what, count in torch.ops.gradproof.counts().items() if ":" not in what)


def main():
    warnings.simplefilter("ignore")
    compared, wrong = collections.Counter(), 0
    for op in samples():
        for dtype in sorted(op.supported_backward_dtypes("cpu") & set(TOLERANCE), key=str):
            for sample in op.sample_inputs("cpu", dtype, requires_grad=True):
                before = computed()
                ours = gradients(op, sample, True)
                tolerance = TOLERANCE[dtype] if computed() > before else 0  # ATen's kernel behind the extension: the same bits
                theirs = gradients(op, sample, False, torch.float32 if tolerance and dtype == torch.bfloat16 else None)
                what = f"{op.name} {op.variant_test_name}".strip()
                if ours is None:
                    continue
                compared[what] += 1
                worst = (ours - theirs).abs().max().item() if ours.numel() else 0
                scale = theirs.abs().max().item() if ours.numel() else 0
                if ours.shape != theirs.shape or not worst <= tolerance * scale:
                    print(f"{what} {dtype}: {worst} of {scale} apart: {tuple(sample.input.shape)} {sample.args} {sample.kwargs}")
                    wrong += 1
                if dtype in (torch.float64, torch.complex128) and sample.input.numel() < 200:
                    torch.ops.gradproof.use(True)
                    f = lambda x: op(x, *sample.args, **sample.kwargs)
                    if not torch.autograd.gradcheck(f, sample.input.detach().requires_grad_(), raise_exception=False):
                        print(f"{what} {dtype}: gradcheck: {tuple(sample.input.shape)} {sample.args} {sample.kwargs}")
                        wrong += 1
    for what, count in sorted(compared.items()):
        print(f"{what}: {count} samples")
    counts = torch.ops.gradproof.counts()
    for what, count in sorted(counts.items()):
        print(f"{what}: {count} calls")
    # Each gradient was computed by gradproof in some sample.
    for gradient in ("max_pool2d_with_indices", "max_pool3d_with_indices", "adaptive_max_pool3d", "replication_pad2d",
                     "upsample_bilinear2d"):
        if not counts.get(gradient + "_backward"):
            print(f"no sample reached {gradient}_backward")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    torch.ops.load_library(sys.argv.pop(1))
    sys.exit(main())
