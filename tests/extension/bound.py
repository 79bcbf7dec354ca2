"""What a gradient may be: ATen's in DOUBLE, and around it the contract's bound (docs/contract.md, "Numbers")."""
import torch

ROUNDOFF = {torch.float32: 2.0**-24, torch.float64: 2.0**-53, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11,
            torch.complex64: 2.0**-24, torch.complex128: 2.0**-53}
SMALLEST = {torch.float16: 2.0**-24, torch.bfloat16: 2.0**-133}  # subnormal numbers are at most this far apart


def aten(operator, *arguments):
    """ATen's own kernel."""
    before = torch.ops.gradproof.use(False)
    try:
        return operator(*arguments)
    finally:
        torch.ops.gradproof.use(before)


def terms_of_axis(extent, pooled, align_corners, scale):
    """The most positions of a row of `pooled` that add to one of `extent` in linear upsampling."""
    ratio = (extent - 1) / max(1, pooled - 1) if align_corners else 1 / scale if scale and extent != pooled else extent / pooled
    i = torch.arange(pooled, dtype=torch.float64)
    x = (ratio * i if align_corners else ratio * (i + 0.5) - 0.5).clamp(0, extent - 1)
    return ((x[:, None] - torch.arange(extent)).abs() < 1.001).sum(0).max().item()


def beyond_bound(result, operator, grad_output, *rest, terms=None):
    """How many elements of `result` are none that `operator` may return for `grad_output` and the arguments `rest`."""
    wide = torch.complex128 if grad_output.is_complex() else torch.float64
    rest = [t.to(wide).contiguous() if torch.is_tensor(t) and t.dtype != torch.int64 else
            t.contiguous() if torch.is_tensor(t) else t for t in rest]
    of = lambda g: aten(operator, g.to(wide).contiguous(), *rest)
    exact, magnitude = of(grad_output), of(grad_output.abs()).abs() * (2 if grad_output.is_complex() else 1)
    count = of(torch.ones_like(grad_output)).abs() if terms is None else torch.full_like(magnitude, terms + 4)
    u = ROUNDOFF[torch.float64 if result.dtype in (torch.float64, torch.complex128) else torch.float32]
    # The sum's error, once more for ATen's own where that is in DOUBLE too, and the last rounding.
    allowed = (count - 1).clamp(min=0) * u * (2 if u < 2.0**-50 else 1) * magnitude * 1.001
    if result.dtype in SMALLEST:
        allowed = allowed + ROUNDOFF[result.dtype] * (exact.abs() + allowed) + SMALLEST[result.dtype] / 2
    if terms is not None:  # ATen's coordinates in DOUBLE have roundings, too, and FLOAT's products may underflow
        allowed = allowed + 1e-13 * grad_output.abs().max().double() + terms * 2.0**-149
    return int((~((result.to(wide) - exact).abs() <= allowed)).sum())
