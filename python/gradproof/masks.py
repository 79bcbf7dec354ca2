"""The 2-D pool's mask: which elements of the windows are maxima, a bit each."""
from __future__ import annotations

from typing import Any

import numpy as np


def unpack(
    mask: np.ndarray, pooled: tuple[int, ...], extents: tuple[int, ...], windows: dict[str, Any]
) -> np.ndarray:
    """As booleans [N, C, Ho, Wo, kH, kW], without those maxima that are in the padding."""
    n, c, ho, wo = pooled
    k_h, k_w = windows["kernel_size"]
    words = mask[:, :, :, : ho * wo]  # [N, ⌈C/16⌉, kH·kW, Ho·Wo, 2]
    bits = np.unpackbits(words, axis=-1, bitorder="little").transpose(0, 1, 4, 3, 2)
    found = bits.reshape(n, words.shape[1] * 16, ho, wo, k_h, k_w)[:, :c].astype(bool)
    for axis, (outputs, kernel) in enumerate(((ho, k_h), (wo, k_w))):
        step, before = windows["stride"][axis], windows["padding"][axis]
        at = np.arange(outputs)[:, None] * step - before + np.arange(kernel)
        inside = (at >= 0) & (at < extents[2 + axis])
        found &= inside[:, None, :, None] if axis == 0 else inside[:, None, :]
    return found


def pack(maxima: np.ndarray) -> np.ndarray:
    """The mask of these booleans [N, C, Ho, Wo, kH, kW]."""
    n, c, ho, wo, k_h, k_w = maxima.shape
    words, positions = (c + 15) // 16, (ho * wo + 15) // 16 * 16 + 16
    bits = np.zeros((n, words * 16, positions, k_h * k_w), bool)
    bits[:, :c, : ho * wo] = maxima.reshape(n, c, ho * wo, k_h * k_w)
    bits = bits.reshape(n, words, 16, positions, k_h * k_w).transpose(0, 1, 4, 3, 2)
    return np.packbits(bits, axis=-1, bitorder="little")
