"""Compares mindtorch_v2's NPU backend on gradproof with ATen on the same values. enter.sh runs it.

Prints tab-separated rows: operator, convention, type, calls, calls equal to ATen, which computes in double. Maxima
are equal bit for bit. A sum of n terms t is equal if a number that is at most g(n - 1) sum|t| away from ATen's rounds to
it, as docs/contract.md says, with g(n + 3) where terms have weights. Exit status 1 if a call differs or fails."""
import collections
import sys

import mindtorch_v2 as client
import numpy as np
import torch
from mindtorch_v2.nn import functional

TYPES = {"Float": np.float32, "Half": np.float16}
random = np.random.default_rng(1)
rows = collections.OrderedDict()


def count(operator, convention, kind, equal, where):
    row = rows.setdefault((operator, convention, kind), [0, 0])
    row[0] += 1
    row[1] += bool(equal)
    if not equal:
        print(f"differs: {operator}, {convention}, {kind}, {where}", file=sys.stderr)


def values(shape, kind):
    return random.integers(-50, 51, shape).astype(TYPES[kind])


def numbers(tensor):
    return tensor.detach().to("cpu").numpy().astype(np.float64)


def close(result, due, magnitude, roundings, kind):
    """Whether `due`, with an error of that many roundings in float of the terms' magnitude, rounds to the result."""
    if result.shape != due.shape:
        return False
    rounding = np.finfo(TYPES[kind]).eps / 2 * np.abs(result)
    return np.all(np.abs(result - due) <= np.maximum(roundings, 0) * 2.0**-24 * magnitude + rounding)


def aten(function, image, gradient):
    """ATen's result, and its gradient for the given one."""
    x = torch.from_numpy(image.astype(np.float64)).requires_grad_()
    y = function(x)
    y.backward(torch.from_numpy(gradient.astype(np.float64)))
    return y.detach().numpy(), x.grad.numpy()


def terms(extent, pooled, align_corners):
    """Upsampling: how many output positions of an axis use each input position."""
    position = np.arange(pooled)
    if align_corners:
        source = position * ((extent - 1) / (pooled - 1) if pooled > 1 else 0)
    else:
        source = np.clip((position + 0.5) * extent / pooled - 0.5, 0, extent - 1)
    return [np.count_nonzero(np.abs(source - i) < 1) for i in range(extent)]


def compare(operator, image, kind, ours, theirs, weighted=None):
    """`weighted`: for each input element the number of its terms, where these have weights."""
    x = client.tensor(image, device="npu", requires_grad=True)
    y = ours(x)
    gradient = values(tuple(y.shape), kind)
    y.backward(client.tensor(gradient, device="npu"))
    client.npu.synchronize()
    due, due_gradient = aten(theirs, image, gradient)
    where = f"{image.shape} to {due.shape}"
    if weighted is None:
        equal = np.array_equal(numbers(y), due)
        roundings = aten(theirs, image, np.ones_like(gradient))[1] - 1
    else:
        equal = close(numbers(y), due, aten(theirs, np.abs(image), gradient)[0], 4 + 3, kind)
        roundings = weighted + 3
    count(operator, "autograd", kind, equal, where)
    magnitude = aten(theirs, image, np.abs(gradient))[1]
    count(operator + "_backward", "autograd", kind, close(numbers(x.grad), due_gradient, magnitude, roundings, kind), where)


for kind in TYPES:
    for batch in (1, 3):
        for kernel, stride, padding in ((2, 2, 0), (3, 2, 1), (3, 1, 1), (1, 1, 0), (4, 3, 2)):
            for ceil_mode in (False, True):
                for channels in (1, 5, 17):
                    image = values((batch, channels, 11, 14), kind)
                    window = (kernel, stride, padding, 1, ceil_mode)
                    compare("max_pool2d", image, kind, lambda x: functional.max_pool2d(x, *window),
                            lambda x: torch.nn.functional.max_pool2d(x, *window))
                    image = values((batch, channels, 5, 8, 11), kind)
                    compare("max_pool3d", image, kind, lambda x: functional.max_pool3d(x, *window),
                            lambda x: torch.nn.functional.max_pool3d(x, *window))
        for size in ((10, 8), (7, 9), (3, 2), (5, 4), (1, 1), (20, 31)):
            for align_corners in (False, True):
                options = {"size": size, "mode": "bilinear", "align_corners": align_corners}
                compare("upsample_bilinear2d", values((batch, 3, 5, 4), kind), kind,
                        lambda x: functional.interpolate(x, **options),
                        lambda x: torch.nn.functional.interpolate(x, **options),
                        np.outer(terms(5, size[0], align_corners), terms(4, size[1], align_corners)))

for (operator, convention, kind), (calls, equal) in rows.items():
    print(operator, convention, kind, calls, equal, sep="\t")
sys.exit(0 if all(calls == equal for calls, equal in rows.values()) else 1)
