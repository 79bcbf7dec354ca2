"""Trains a small U-Net and the stem of a 3-D ResNet, each step in turn with ATen's gradients and with gradproof's.

    python3 train.py build/libgradproof_torch.so [--steps 20] [--threads 1,2] [--size 1.0]

Prints the median times of a step and of the five gradients in it. Ratios are the median of ATen's time divided by gradproof's in
the step after it; "processor" is that of processor time, which other programs on the machine disturb less. The difference is that of the parameters' gradients of the two, from the same state: its norm divided by the
gradient's. Above 1e-5 the program fails.
"""
import argparse
import os
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

GRADIENTS = ("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward", "upsample_bilinear2d_backward",
             "replication_pad2d_backward", "adaptive_max_pool3d_backward")


class UNet(nn.Module):
    """Two levels down by max pooling and up by bilinear upsampling, with replicated borders."""

    def __init__(self):
        super().__init__()

        def block(channels_in, channels):
            return nn.Sequential(
                nn.Conv2d(channels_in, channels, 3, padding=1, padding_mode="replicate"), nn.BatchNorm2d(channels), nn.ReLU(),
                nn.Conv2d(channels, channels, 3, padding=1, padding_mode="replicate"), nn.BatchNorm2d(channels), nn.ReLU())

        self.down = nn.ModuleList([block(3, 16), block(16, 32)])
        self.bottom = block(32, 64)
        self.up = nn.ModuleList([block(64 + 32, 32), block(32 + 16, 16)])
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        skipped = []
        for block in self.down:
            x = block(x)
            skipped.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottom(x)
        for block in self.up:
            x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
            x = block(torch.cat([x, skipped.pop()], 1))
        return self.head(x)


class Stem(nn.Module):
    """The first layers of a 3-D ResNet: a convolution, an overlapping pool, one residual block, an adaptive pool."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv3d(3, 32, (3, 7, 7), (1, 2, 2), (1, 3, 3), bias=False), nn.BatchNorm3d(32), nn.ReLU())
        self.block = nn.Sequential(nn.Conv3d(32, 32, 3, padding=1, bias=False), nn.BatchNorm3d(32), nn.ReLU(),
                                   nn.Conv3d(32, 32, 3, padding=1, bias=False), nn.BatchNorm3d(32))
        self.head = nn.Linear(32 * 8, 10)

    def forward(self, x):
        x = F.max_pool3d(self.first(x), 3, 2, 1)
        x = F.relu(x + self.block(x))
        return self.head(F.adaptive_max_pool3d(x, 2).flatten(1))


def problem(name, size, memory):
    """Model, input and target; `size` scales the input's extents."""
    torch.manual_seed(1)
    if name == "U-Net":
        extent = max(16, round(256 * size) // 4 * 4)
        x, target = torch.randn(2, 3, extent, extent), torch.randint(2, (2, extent, extent))
        memory_format = torch.channels_last if memory == "channels_last" else torch.contiguous_format
        model = UNet()
    else:
        extent = max(16, round(112 * size))
        x, target = torch.randn(2, 3, 16, extent, extent), torch.randint(10, (2,))
        memory_format = torch.channels_last_3d if memory == "channels_last" else torch.contiguous_format
        model = Stem()
    return model.to(memory_format=memory_format), x.contiguous(memory_format=memory_format), target


def backward(model, x, target):
    model.zero_grad(set_to_none=True)
    F.cross_entropy(model(x), target).backward()


def gradient(model, x, target, use):
    """The gradient of all parameters in DOUBLE, from the state that the model is in."""
    torch.ops.gradproof.use(use)
    backward(model, x, target)
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


def seconds_in_gradients(model, x, target, use):
    """What of a step is spent in the gradients that gradproof has."""
    torch.ops.gradproof.use(use)
    with torch.autograd.profiler.profile() as profile:
        backward(model, x, target)
    return sum(e.cpu_time_total for e in profile.key_averages() if e.key.removeprefix("aten::") in GRADIENTS) / 1e6


def median(times):
    return f"{statistics.median(times) * 1e3:.2f}"


def ratio(times):
    return f"{statistics.median(aten / ours for aten, ours in zip(times[False], times[True])):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", default=f"1,{os.cpu_count()}")
    parser.add_argument("--size", type=float, default=1)
    options = parser.parse_args()
    torch.ops.load_library(options.library)

    print("| model | memory | threads | step, ms: ATen | gradproof | ratio | processor | gradients, ms: ATen | gradproof | ratio "
          "| difference |\n|---|---|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for name in ("U-Net", "3-D stem"):
        for memory in ("contiguous", "channels_last"):
            for threads in sorted({int(n) for n in options.threads.split(",")}):
                torch.set_num_threads(threads)
                case = problem(name, options.size, memory)
                aten = gradient(*case, False)
                difference = ((gradient(*case, True) - aten).norm() / aten.norm()).item()
                wrong += not difference <= 1e-5
                optimizer = torch.optim.SGD(case[0].parameters(), lr=1e-3)
                step, processor, inside = ({False: [], True: []} for _ in range(3))
                for _ in range(options.steps):
                    for use in (False, True):
                        torch.ops.gradproof.use(use)
                        start, used = time.perf_counter(), time.process_time()
                        backward(*case)
                        optimizer.step()
                        step[use].append(time.perf_counter() - start)
                        processor[use].append(time.process_time() - used)
                for _ in range(options.steps // 2 + 1):
                    for use in (False, True):
                        inside[use].append(seconds_in_gradients(*case, use))
                cells = [median(step[False]), median(step[True]), ratio(step), ratio(processor),
                         median(inside[False]), median(inside[True]), ratio(inside)]
                print(f"| {name} | {memory} | {threads} | {' | '.join(cells)} | {difference:.1e} |", flush=True)
    for what, count in sorted(torch.ops.gradproof.counts().items()):
        print(f"{what}: {count}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
