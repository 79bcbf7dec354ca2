"""Measures a forward with its gradient through mindtorch_v2 and through PyTorch on the same values. enter.sh runs it.

FLOAT, one thread each, with the copy of the gradient to the device and the synchronisation. Prints tab-separated rows:
operator, tensor, PyTorch, mindtorch_v2, their ratio; microseconds, medians of rounds in which the two take turns."""
import statistics
import time

import mindtorch_v2 as client
import numpy as np
import torch
from mindtorch_v2.nn import functional

ROUNDS = 31
random = np.random.default_rng(1)
torch.set_num_threads(1)


def microseconds(call, calls):
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


def row(operator, sizes, ours, theirs):
    image = random.random(sizes, dtype=np.float32)
    x = client.tensor(image, device="npu", requires_grad=True)
    t = torch.from_numpy(image).requires_grad_()
    gradient = random.random(tuple(theirs(t).shape), dtype=np.float32)
    given = client.tensor(gradient, device="npu")

    def client_call():
        x.grad = None
        ours(x).backward(given)
        client.npu.synchronize()

    def torch_call():
        t.grad = None
        theirs(t).backward(torch.from_numpy(gradient))

    calls = 20 if image.size < 10000 else 2
    ours_took, theirs_took = [], []
    for _ in range(ROUNDS):
        theirs_took.append(microseconds(torch_call, calls))
        ours_took.append(microseconds(client_call, calls))
    us, them = statistics.median(ours_took), statistics.median(theirs_took)
    print(operator, " x ".join(map(str, sizes)), f"{them:.1f}", f"{us:.1f}", f"{us / them:.2f}", sep="\t")


for large in (False, True):
    n, c = (4, 32) if large else (1, 2)
    row("max_pool3d", (n, c, 16, 32, 32) if large else (n, c, 4, 6, 8), lambda x: functional.max_pool3d(x, 2, 2),
        lambda x: torch.nn.functional.max_pool3d(x, 2, 2))
    row("max_pool2d", (n, c, 112, 112) if large else (n, c, 8, 8), lambda x: functional.max_pool2d(x, 3, 2, 1),
        lambda x: torch.nn.functional.max_pool2d(x, 3, 2, 1))
    side = 64 if large else 4
    options = {"size": (2 * side, 2 * side), "mode": "bilinear", "align_corners": False}
    row("interpolate", (n, c, side, side), lambda x: functional.interpolate(x, **options),
        lambda x: torch.nn.functional.interpolate(x, **options))
