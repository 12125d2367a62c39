"""`scipy.signal`: digital filters.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.signal_filters import lfilter
>>> impulse = np.array([1.0, 0.0, 0.0])
>>> np.grad(lambda a: lfilter([1.0], a, impulse)[2])(np.array([1.0, -0.5]))  # 1, 0.5, 0.5^2: of a[1]^2 / a[0]^3
array([-0.75, -1.  ])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal

from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.traced import raw
from .recurrences import changed_rate, filtered, of_length
from .stand_ins import stands_for


def _floating(*arrays: Any) -> list[Any]:
    dtype = np.result_type(*[a.dtype for a in arrays])
    return [a if a.dtype == dtype else a.astype(dtype) for a in arrays]


def _filtered(b: Any, a: Any, x: Any, zi: Any) -> tuple[Any, Any]:
    """The output and the final conditions, along the last axis; zeros before it where `zi` is None."""
    order = max(b.shape[0], a.shape[0]) - 1
    states = (*x.shape[:-1], order)
    z = np.zeros(states, x.dtype) if zi is None else np.broadcast_to(zi, states)
    y = filtered(b, a, x, z)
    return y, _final(b, a, x, y, z)


# in units of a[0], after n steps: z[i] = zi[i + n] + sum_(m > 0) b[i + m] x[n - m] - a[i + m] y[n - m]
def _final(b: Any, a: Any, x: Any, y: Any, z: Any) -> Any:
    order, n = z.shape[-1], x.shape[-1]
    b, a = of_length(b, order + 1) / a[0], of_length(a, order + 1) / a[0]
    final = of_length(z[..., n:], order)
    for m in range(1, min(order, n) + 1):
        final = final + of_length(b[m:] * x[..., n - m, None] - a[m:] * y[..., n - m, None], order)
    return final


@stands_for(scipy.signal.lfilter, "b a x zi", is_checked=True)
def lfilter(b: Any, a: Any, x: Any, axis: int, zi: Any) -> Any:
    """Filter along an axis: `scipy.signal.lfilter`, with the derivative in `b`, `a`, `x` and `zi`."""
    b, a, x, *rest = operands(b, a, x, *([] if zi is None else [zi]))
    b, a, x, *rest = _floating(np.atleast_1d(b), np.atleast_1d(a), x, *rest)
    moved = [np.moveaxis(part, axis, -1) for part in (x, *rest)]
    y, final = _filtered(b, a, moved[0], moved[1] if rest else None)
    y = np.moveaxis(y, -1, axis)
    return (y, np.moveaxis(final, -1, axis)) if rest else y


@stands_for(scipy.signal.sosfilt, "sos x zi", is_checked=True)
def sosfilt(sos: Any, x: Any, axis: int, zi: Any) -> Any:
    """Filter by second-order sections: `scipy.signal.sosfilt`, with the derivative in `sos`, `x` and `zi`."""
    sos, x, *rest = _floating(*operands(sos, x, *([] if zi is None else [zi])))
    y = np.moveaxis(x, axis, -1)
    states = np.moveaxis(rest[0], axis % x.ndim + 1, -1) if rest else None
    finals = []
    for k in range(sos.shape[0]):
        y, final = _filtered(sos[k, :3], sos[k, 3:], y, None if states is None else states[k])
        finals.append(final)
    y = np.moveaxis(y, -1, axis)
    return (y, np.moveaxis(np.stack(finals), -1, axis % x.ndim + 1)) if rest else y


@stands_for(scipy.signal.lfilter_zi, "b a", is_checked=True)
def lfilter_zi(b: Any, a: Any) -> Any:
    """The conditions of a steady step response: `scipy.signal.lfilter_zi`, with the derivative in `b` and `a`.

    `z = A z + B` with the companion matrix `A` of `a`, transposed, and `B = b[1:] - a[1:] b[0]`, in units of `a[0]`.
    """
    b, a = operands(b, a)
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    first = int(np.argmax(raw(a) != 0))  # SciPy drops leading zeros
    a = a[first:]
    n = max(b.shape[0], a.shape[0])
    b, a = of_length(b / a[0], n), of_length(a / a[0], n)
    # the columns of 1 - A: the first is (1 + a[1], a[2], ..), the others are 1 on the diagonal and -1 above it
    rest = np.eye(n - 1, dtype=a.dtype) - np.eye(n - 1, k=1, dtype=a.dtype)
    matrix = rest + a[1:, None] * np.eye(1, n - 1, dtype=a.dtype)
    return np.linalg.solve(matrix, b[1:] - a[1:] * b[0])


@stands_for(scipy.signal.lfiltic, "b a y x", is_checked=True)
def lfiltic(b: Any, a: Any, y: Any, x: Any) -> Any:
    """The conditions that earlier inputs and outputs leave: `scipy.signal.lfiltic`, differentiable in all of them.

    The latest comes first: in units of `a[0]`, `z[i] = sum_(m > 0) b[i + m] x[m - 1] - a[i + m] y[m - 1]`.
    """
    b, a, y, *rest = _floating(*operands(b, a, y, *([] if x is None else [x])))
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    order = max(b.shape[0], a.shape[0]) - 1
    x = rest[0] if rest else np.zeros(0, y.dtype)
    past = [np.flip(of_length(np.atleast_1d(part), max(c.shape[0] - 1, 0))) for part, c in ((x, b), (y, a))]
    inputs, outputs = (np.flip(of_length(np.flip(part), order)) for part in past)
    return _final(b, a, inputs, outputs, np.zeros(order, y.dtype))


@stands_for(scipy.signal.sosfilt_zi, "sos", is_checked=True)
def sosfilt_zi(sos: Any) -> Any:
    """The conditions of a steady step response: `scipy.signal.sosfilt_zi`, with the derivative in `sos`."""
    (sos,) = operands(sos)
    scale: Any = 1.0
    states = []
    for k in range(sos.shape[0]):
        b, a = sos[k, :3], sos[k, 3:]
        states.append(scale * lfilter_zi(b, a))
        scale = scale * np.sum(b) / np.sum(a)
    return np.stack(states)


def _extended(x: Any, padtype: Any, edge: int) -> Any:
    """What is before and after the ends, along the last axis: `edge` elements of an extension."""
    if not edge or padtype is None:
        return x
    before, after = x[..., edge:0:-1], x[..., -2 : -(edge + 2) : -1]
    if padtype == "odd":
        before, after = 2 * x[..., :1] - before, 2 * x[..., -1:] - after
    elif padtype == "constant":
        before, after = x[..., :1] + 0 * before, x[..., -1:] + 0 * after
    return np.concatenate([before, x, after], axis=-1)


def _edge(padtype: Any, padlen: Any, count: int) -> int:
    if padtype is None:
        return 0
    return count if padlen is None else int(padlen)


@stands_for(scipy.signal.filtfilt, "b a x", is_checked=True)
def filtfilt(b: Any, a: Any, x: Any, axis: int, padtype: Any, padlen: Any, method: str, irlen: Any) -> Any:
    """Filter forwards and backwards: `scipy.signal.filtfilt`, with the derivative in `b`, `a` and `x`."""
    if method == "gust":
        raise NotDifferentiableError("scipy.signal.filtfilt", "method='gust' has no rule. Call it with method='pad'")
    b, a, x = _floating(*operands(b, a, x))
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    edge = _edge(padtype, padlen, 3 * max(b.shape[0], a.shape[0]))
    y = _extended(np.moveaxis(x, axis, -1), padtype, edge)
    zi = lfilter_zi(b, a) if max(b.shape[0], a.shape[0]) > 1 else np.zeros(0)
    for _ in range(2):
        y = np.flip(_filtered(b, a, y, zi.astype(y.dtype) * y[..., :1])[0], -1)
    return np.moveaxis(y[..., edge : y.shape[-1] - edge], -1, axis)


@stands_for(scipy.signal.sosfiltfilt, "sos x", is_checked=True)
def sosfiltfilt(sos: Any, x: Any, axis: int, padtype: Any, padlen: Any) -> Any:
    """Filter forwards and backwards by sections: `scipy.signal.sosfiltfilt`, with the derivative in `sos` and `x`."""
    sos, x = operands(sos, x)
    zeros = int(min(np.sum(raw(sos)[:, 2] == 0), np.sum(raw(sos)[:, 5] == 0)))
    edge = _edge(padtype, padlen, 3 * (2 * sos.shape[0] + 1 - zeros))
    y = _extended(np.moveaxis(x, axis, -1), padtype, edge)
    zi = sosfilt_zi(sos)
    zi = np.reshape(zi, (zi.shape[0], *[1] * (y.ndim - 1), 2))
    for _ in range(2):
        y = np.flip(sosfilt(sos, y, -1, zi * y[..., :1])[0], -1)
    return np.moveaxis(y[..., edge : y.shape[-1] - edge], -1, axis)


_EXTENSION: dict[str, tuple[Any, dict[str, Any]]] = {
    "symmetric": ("symmetric", {}),
    "reflect": ("reflect", {}),
    "antireflect": ("reflect", {"reflect_type": "odd"}),
    "edge": ("edge", {}),
    "wrap": ("wrap", {}),
}
"""The modes of `upfirdn` as NumPy's `pad` calls them."""


@stands_for(scipy.signal.upfirdn, "h x cval", is_checked=True)
def upfirdn(h: Any, x: Any, up: int, down: int, axis: int, mode: Any, cval: Any) -> Any:
    """Change the rate by a filter: `scipy.signal.upfirdn`, linear in `h` and `x`."""
    h, x = operands(h, x)
    dtype = np.result_type(h.dtype, x.dtype, np.float32)
    h, x = h.astype(dtype), np.moveaxis(x.astype(dtype), axis, -1)
    n, up, down = x.shape[-1], int(up), int(down)
    count = ((n - 1) * up + h.shape[0] - 1) // down + 1
    if mode == "constant" and not _is_traced_or_nonzero(cval):
        y = changed_rate(h, x, up=up, down=down)
    else:
        # so many elements before x that its first one stays a multiple of `down` after the first result
        before = -(-((h.shape[0] - 1) // up + 1) // down) * down
        longer = _with_extension(x, before, mode, cval)
        first = before * up // down
        y = changed_rate(h, longer, up=up, down=down)[..., first : first + count]
    return np.moveaxis(y, -1, axis)


def _is_traced_or_nonzero(c: Any) -> bool:
    return raw(c) is not c or c != 0


def _with_extension(x: Any, width: int, mode: Any, cval: Any) -> Any:
    widths = [(0, 0)] * (x.ndim - 1) + [(width, width)]
    if mode in _EXTENSION:
        name, options = _EXTENSION[mode]
        return np.pad(x, widths, name, **options)
    if mode == "antisymmetric":
        period = (np.arange(-width, x.shape[-1] + width) // x.shape[-1]) % 2
        return np.pad(x, widths, "symmetric") * (1 - 2 * period).astype(x.dtype)
    if mode == "constant":
        return np.pad(x, widths, "constant", constant_values=cval)
    steps = np.arange(1, width + 1).astype(x.dtype)
    n = x.shape[-1]
    if n == 1:
        first = last = 0 * x
    elif mode == "smooth":
        first, last = x[..., 1:2] - x[..., :1], x[..., -1:] - x[..., -2:-1]
    else:
        first = last = (x[..., -1:] - x[..., :1]) / (n - 1)
    return np.concatenate([x[..., :1] - first * steps[::-1], x, x[..., -1:] + last * steps], axis=-1)
