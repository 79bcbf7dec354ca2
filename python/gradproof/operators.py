"""The five gradients: the names of their tensors and parameters, as docs/subjects.md has them."""
from __future__ import annotations

from dataclasses import dataclass

_WINDOWS = ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "batched")


@dataclass(frozen=True)
class Operator:
    """What a kernel of one operator may be given."""

    tensors: tuple[str, ...]  # the result last
    parameters: tuple[str, ...]
    axes: int  # that windows, padding and scales are along

    @property
    def result(self) -> str:
        """The tensor that the kernel writes."""
        return self.tensors[-1]


OPERATORS: dict[str, Operator] = {
    "max_pool3d_with_argmax_backward": Operator(("grad_output", "indices", "grad_input"), _WINDOWS, 3),
    "max_pool2d_with_mask_backward": Operator(
        ("grad_output", "mask", "indices", "grad_input"), _WINDOWS + ("through_float16",), 2
    ),
    "upsample_bilinear2d_backward": Operator(
        ("grad_out", "out"), ("align_corners", "scale_h", "scale_w", "channels_last"), 2
    ),
    "replication_pad2d_backward": Operator(
        ("grad_output", "grad_input"), ("left", "right", "top", "bottom", "batched"), 2
    ),
    "adaptive_max_pool3d_backward": Operator(("grad_output", "indices", "grad_input"), ("batched",), 3),
}


def operator(name: str) -> Operator:
    """The operator of that name; a ValueError that lists all of them if there is none."""
    if name not in OPERATORS:
        raise ValueError(f"unknown operator {name!r}; operators: {', '.join(sorted(OPERATORS))}")
    return OPERATORS[name]
