"""Drawn calls of the five gradients: (operator, arguments, terms of an element or None)."""
import torch
from torch.nn import functional as F

aten = torch.ops.aten


def laid_out(random, tensor):
    """The same numbers: contiguous, channels last, with gaps, transposed, or broadcast over the batch."""
    kind = random.choice(["contiguous", "channels last", "gaps", "transposed", "broadcast"])
    if kind == "channels last" and tensor.dim() in (4, 5):
        return tensor.contiguous(memory_format=torch.channels_last if tensor.dim() == 4 else torch.channels_last_3d)
    if kind == "gaps":
        return torch.stack([tensor, tensor], -1)[..., 0]
    if kind == "transposed" and tensor.is_complex():
        return tensor.conj()  # a view whose numbers are conjugated when they are read
    if kind == "transposed":
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if kind == "broadcast" and tensor.dtype.is_floating_point and tensor.dim() > 3:
        return tensor[:1].expand(tensor.shape)
    return tensor


def gradient(random, like, dtype):
    """Random numbers of the shape of `like`."""
    return laid_out(random, torch.randn(like.shape, dtype=torch.complex128 if dtype.is_complex else torch.float64).to(dtype))


def image(random, axes):
    """A shape [N,]C,… with `axes` axes after C, and numbers without equal neighbours."""
    lead = [random.randint(1, 3), random.randint(1, 20)] if random.random() < 0.8 else [random.randint(1, 5)]
    return torch.randn(*lead, *(random.randint(4, 30 if axes == 2 else 14) for _ in range(axes)))


def max_pool(random, dtype, axes):
    x = image(random, axes)
    kernel = [random.randint(1, 4) for _ in range(axes)]
    stride = random.choice([[], kernel, [random.randint(1, 3) for _ in range(axes)]])
    padding = [random.randint(0, k // 2) for k in kernel]
    ceil_mode, dilation = random.random() < 0.3, [1] * axes
    forward = F.max_pool2d if axes == 2 else F.max_pool3d
    y, indices = forward(x, kernel, stride or None, padding, dilation, ceil_mode, return_indices=True)
    operator = aten.max_pool2d_with_indices_backward if axes == 2 else aten.max_pool3d_with_indices_backward
    return operator, [gradient(random, y, dtype), laid_out(random, x.to(dtype)), kernel, stride, padding, dilation, ceil_mode,
                      laid_out(random, indices)], None


def max_pool2d(random, dtype):
    return max_pool(random, dtype, 2)


def max_pool3d(random, dtype):
    return max_pool(random, dtype, 3)


def adaptive_max_pool3d(random, dtype):
    x = image(random, 3)
    y, indices = F.adaptive_max_pool3d(x, [random.randint(1, 9) for _ in range(3)], return_indices=True)
    return aten.adaptive_max_pool3d_backward, [gradient(random, y, dtype), laid_out(random, x.to(dtype)),
                                               laid_out(random, indices)], None


def replication_pad2d(random, dtype):
    x = image(random, 2)
    padding = [random.randint(0, 3) for _ in range(4)]
    return aten.replication_pad2d_backward, [gradient(random, F.pad(x, padding), dtype), laid_out(random, x.to(dtype)), padding], None


def upsample_bilinear2d(random, dtype):
    from bound import terms_of_axis
    n, c = random.randint(1, 3), random.randint(1, 20)
    small = [random.randint(1, 20) for _ in range(2)]
    scales = [random.choice([1, 1.3, 2, 2.5, 4, 0.6]) for _ in range(2)]
    large = [max(1, int(s * e)) for s, e in zip(scales, small)]
    if random.random() < 0.5 or any(s * e < 1 for s, e in zip(scales, small)):
        scales = [None, None]
    align = random.random() < 0.3
    axes = [terms_of_axis(*axis, align, scale) for *axis, scale in zip(small, large, scales)]
    g = gradient(random, torch.empty(n, c, *large), dtype)
    return aten.upsample_bilinear2d_backward, [g, large, [n, c, *small], align, *scales], axes[0] * axes[1]


DRAWN = [max_pool2d, max_pool3d, adaptive_max_pool3d, replication_pad2d, upsample_bilinear2d]
