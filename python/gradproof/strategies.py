"""Hypothesis strategies of calls, small ones first. Debian's python3-hypothesis."""
from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from .calls import Call
from .masks import pack
from .operators import operator

_REAL = ("FLOAT", "FLOAT16", "BF16")
_PADDED = ("FLOAT", "FLOAT16", "DOUBLE", "COMPLEX64", "COMPLEX128")
_EXTENT = st.integers(1, 6)


def calls(name: str, types: tuple[str, ...] | None = None, profile: str | None = None) -> st.SearchStrategy[Call]:
    """Valid calls of an operator, of these types or all; with `call.check(function)` a test is complete.

    @param profile  as `Call` takes it
    """
    operator(name)
    known = _PADDED if name == "replication_pad2d_backward" else _REAL
    chosen = known if types is None else tuple(types)
    if not chosen or not set(chosen) <= set(known):
        raise ValueError(f"{name}: types is {types!r}; types: {', '.join(known)}")
    return _DRAWS[name](chosen, profile)


def _array(draw: Any, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers that every type holds."""
    part = hnp.arrays(np.float32, shape, elements=st.integers(-8, 8) | st.floats(-64, 64, width=16))
    if kind.startswith("COMPLEX"):
        return (draw(part) + 1j * draw(part)).astype(np.complex64 if kind == "COMPLEX64" else np.complex128)
    return draw(part).astype({"FLOAT16": np.float16, "DOUBLE": np.float64}.get(kind, np.float32))


def _batched(draw: Any, samples: int) -> bool:
    """Whether the tensors of the call have N; arrays always have."""
    one = draw(st.booleans())  # always: calls with fewer draws shrink worse
    return samples > 1 or not one


def _common(draw: Any, kind: str, profile: str | None) -> dict[str, Any]:
    return {"type": kind, "gap": draw(st.sampled_from([0, 1])), "profile": profile}


def _windows(draw: Any, axes: int) -> tuple[dict[str, Any], tuple[int, ...], tuple[int, ...]]:
    """Windows, the extents under them and the pooled ones."""
    kernel = draw(st.tuples(*[st.integers(1, 4)] * axes))
    windows = {
        "kernel_size": kernel,
        "stride": draw(st.tuples(*[st.integers(1, 4)] * axes)),
        "padding": tuple(draw(st.integers(0, k // 2)) for k in kernel),
        "ceil_mode": draw(st.booleans()),
    }
    extents = draw(st.tuples(*[_EXTENT] * axes))
    pooled = []
    for n, k, s, p in zip(extents, kernel, windows["stride"], windows["padding"]):
        out = (n + 2 * p - k + (s - 1 if windows["ceil_mode"] else 0)) // s + 1
        out -= windows["ceil_mode"] and (out - 1) * s >= n + p
        assume(out > 0)
        pooled.append(int(out))
    return windows, extents, tuple(pooled)


@st.composite
def _max_pool3d(draw: Any, types: tuple[str, ...], profile: str | None) -> Call:
    kind = draw(st.sampled_from(types))
    windows, extents, pooled = _windows(draw, 3)
    batch = draw(st.tuples(st.integers(1, 2), st.integers(1, 3)))
    indices = draw(hnp.arrays(np.int32, batch + pooled, elements=st.integers(0, int(np.prod(extents)) - 1)))
    gradient = _array(draw, kind, batch + pooled)
    name = "max_pool3d_with_argmax_backward"
    return Call(name, grad_output=gradient, indices=indices, shape=batch + extents, batched=_batched(draw, batch[0]), **windows,
                **_common(draw, kind, profile))


@st.composite
def _adaptive_max_pool3d(draw: Any, types: tuple[str, ...], profile: str | None) -> Call:
    kind = draw(st.sampled_from(types))
    batch = draw(st.tuples(st.integers(1, 2), st.integers(1, 3)))
    extents, pooled = draw(st.tuples(_EXTENT, _EXTENT, _EXTENT)), draw(st.tuples(_EXTENT, _EXTENT, _EXTENT))
    indices = draw(hnp.arrays(np.int32, batch + pooled, elements=st.integers(0, int(np.prod(extents)) - 1)))
    gradient = _array(draw, kind, batch + pooled)
    name = "adaptive_max_pool3d_backward"
    return Call(name, grad_output=gradient, indices=indices, shape=batch + extents, batched=_batched(draw, batch[0]),
                **_common(draw, kind, profile))


@st.composite
def _max_pool2d(draw: Any, types: tuple[str, ...], profile: str | None) -> Call:
    kind = draw(st.sampled_from(types))
    windows, extents, pooled = _windows(draw, 2)
    batch = draw(st.tuples(st.integers(1, 2), st.sampled_from([1, 2, 17])))
    maxima = draw(hnp.arrays(bool, batch + pooled + windows["kernel_size"]))
    gradient = _array(draw, kind, batch + pooled)
    name = "max_pool2d_with_mask_backward"
    return Call(name, grad_output=gradient, mask=pack(maxima), shape=batch + extents, batched=_batched(draw, batch[0]), **windows,
                **_common(draw, kind, profile))


@st.composite
def _upsample(draw: Any, types: tuple[str, ...], profile: str | None) -> Call:
    kind = draw(st.sampled_from(types))
    batch, small, large = (draw(st.tuples(_EXTENT, _EXTENT)) for _ in range(3))
    scales = st.sampled_from([0.0, 0.5, 2.0, -1.0]) | st.floats(0.25, 4)
    gradient = _array(draw, kind, batch + large)
    options = {"align_corners": draw(st.booleans()), "scale_h": draw(scales), "scale_w": draw(scales)}
    options |= _common(draw, kind, profile)
    return Call("upsample_bilinear2d_backward", grad_out=gradient, shape=batch + small, **options)


@st.composite
def _replication_pad2d(draw: Any, types: tuple[str, ...], profile: str | None) -> Call:
    kind = draw(st.sampled_from(types))
    n, c, h, w = draw(st.tuples(st.integers(1, 2), st.integers(1, 3), _EXTENT, _EXTENT))
    (left, right), (top, bottom) = _ends(draw, w), _ends(draw, h)
    gradient = _array(draw, kind, (n, c, h + top + bottom, w + left + right))
    options = {"left": left, "right": right, "top": top, "bottom": bottom, "batched": _batched(draw, n)}
    return Call("replication_pad2d_backward", grad_output=gradient, **options, **_common(draw, kind, profile))


def _ends(draw: Any, extent: int) -> tuple[int, int]:
    """Padding on both ends of an axis; negative padding crops, and leaves an element."""
    # Numbers that do not depend on the extent shrink better.
    before, after = (draw(st.integers(0, 5) | st.integers(-5, 5)) for _ in range(2))
    before = min(max(before, 1 - extent), extent - 1)
    return before, min(max(after, 1 - extent, 1 - extent - before), extent - 1)


_DRAWS = {
    "max_pool3d_with_argmax_backward": _max_pool3d,
    "max_pool2d_with_mask_backward": _max_pool2d,
    "upsample_bilinear2d_backward": _upsample,
    "replication_pad2d_backward": _replication_pad2d,
    "adaptive_max_pool3d_backward": _adaptive_max_pool3d,
}
