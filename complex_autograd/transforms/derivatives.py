"""Full derivatives: Jacobians, Hessians, and the two partial derivatives of Wirtinger calculus.

The differential of a function of a complex argument is `dw = (dw/dz) dz + (dw/d(conj z)) conj(dz)`.  Its derivative is
therefore a pair of arrays, `Wirtinger(dz, dzbar)`, each of shape `w.shape + z.shape`; for a real argument it is one
array.  The pair follows from the differential along 1 and i, or from the adjoint applied to 1 and i:

    J(1) = p + q,   J(i) = i (p - q);        J*(1) = conj(p) + q,   J*(i) = i (conj(p) - q).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np

from ..batching.functions import everything
from ..engine.errors import DifferentiationError, NotDifferentiableError
from ..engine.kinks import KINKS
from ..engine.opaque import is_symbolic
from ..engine.traced import raw, settled
from .arguments import Argnums, Split, flatten, unflatten
from .linearize import linearize
from .of_items import RecordingOfItems, recorded
from .recording import Recording
from .transformed import TransformedFunction, check_function

Mode = Literal["forward", "reverse"]


class Wirtinger(NamedTuple):
    """Both partial derivatives with respect to a complex argument `z`: along `v`, `dw = dz @ v + dzbar @ conj(v)`.

    Attributes
    ----------
    dz, dzbar : array
        `dw/dz` and `dw/d(conj z)`, each of shape `w.shape + z.shape`.
    """

    dz: Any
    dzbar: Any


class CauchyRiemannError(DifferentiationError):
    """The derivative of a function that is not holomorphic was asked for as if it were."""

    __module__ = "wirtinger"


def jacobian(f: Callable[..., Any], argnums: Argnums = 0, mode: Mode | None = None) -> Callable[..., Any]:
    """A function that returns the derivative of every output with respect to every input.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result.
    argnums : int or sequence of int
        The positional arguments to differentiate.
    mode : {"forward", "reverse"}, optional
        One pass per input element, or one per output element; by default whichever is fewer.

    Returns
    -------
    callable
        With the arguments of `f`; returns the structure of the output of `f`, in which each leaf `w` is replaced by the
        structure of the arguments, in which each leaf `x` is replaced by `dw/dx`, of shape `w.shape + x.shape`.  For
        complex `x` that is a pair, `Wirtinger(dz, dzbar)`.  Integer outputs, which are piecewise constant, have the
        derivative 0.

    Raises
    ------
    NotDifferentiableError
        If an argument is an integer, the result holds text, or a derivative that is needed does not exist.
    ValueError
        If `mode` is none of these.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    >>> jacobian(lambda z: z * np.conj(z))(np.array(1 + 2j))
    Wirtinger(dz=np.complex128(1-2j), dzbar=np.complex128(1+2j))
    """
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f"mode is {mode!r}; it must be 'forward', 'reverse' or None")
    check_function(f)

    return TransformedFunction(_jacobian, f, argnums, mode)


def _jacobian(f: Callable[..., Any], argnums: Argnums, mode: Mode | None, /, *args: Any, **kwargs: Any) -> Any:
    call = Split(f, args, kwargs, argnums)
    size_in = sum(_real_size(x) for x in call.leaves)
    if mode == "forward" and not KINKS.asked:
        return _forward_jacobian(call)
    recording = recorded(call, call.leaves)
    _refuse_text(recording.leaves)
    if mode is None and not KINKS.asked and size_in < sum(_real_size(w) for w in recording.leaves):
        return _forward_jacobian(call)
    return _reverse_jacobian(call, recording)


def _refuse_text(outputs: Sequence[Any]) -> None:
    """Raise if an output is no number; an integer is constant between its jumps."""
    for w in outputs:
        if w.dtype.kind not in "fciub":
            raise NotDifferentiableError("the function", f"its result holds {w.dtype}: return numbers alone")


def _real_size(x: Any) -> int:
    return int(np.prod(x.shape)) * (2 if x.dtype.kind == "c" else 1)


def _forward_jacobian(call: Split) -> Any:
    out, differential = linearize(call, *call.leaves)
    outputs, structure = flatten(out)
    _refuse_text(outputs)
    columns: list[list[Any]] = [[] for _ in outputs]
    for i, x in enumerate(call.leaves):
        zeros = [np.zeros_like(v) for v in call.leaves]

        def along(unit: complex, i: int = i, x: Any = x, zeros: Any = zeros) -> list[Any]:
            pushed = [flatten(differential(*zeros[:i], e, *zeros[i + 1 :]))[0] for e in _basis(x, unit)]
            return [_gather([dw[k] for dw in pushed], w, x, axis=-1) for k, w in enumerate(outputs)]

        if x.dtype.kind == "c":
            for k, (one, imaginary) in enumerate(zip(along(1), along(1j), strict=True)):
                columns[k].append(Wirtinger((one - 1j * imaginary) / 2, (one + 1j * imaginary) / 2))
        else:
            for k, one in enumerate(along(1)):
                columns[k].append(one if outputs[k].dtype.kind in "fc" else one.astype(x.dtype))
    return unflatten(structure, [unflatten(call.structure, column) for column in columns])


def _reverse_jacobian(call: Split, recording: Recording | RecordingOfItems) -> Any:
    blocks = []
    for k, w in enumerate(recording.leaves):
        zeros = [np.zeros_like(v) for v in recording.leaves]

        def against(unit: complex, k: int = k, w: Any = w, zeros: Any = zeros) -> list[Any]:
            together = _pulled_together(recording, call.leaves, k, unit)
            if together is not None:
                return together
            pulled = [recording.pull([*zeros[:k], e, *zeros[k + 1 :]]) for e in _basis(w, unit)]
            return [_gather([g[i] for g in pulled], w, x, axis=0) for i, x in enumerate(call.leaves)]

        one = against(1)
        imaginary = against(1j) if w.dtype.kind == "c" else [None] * len(one)
        blocks.append([_row(a, b, x) for a, b, x in zip(one, imaginary, call.leaves, strict=True)])
    return unflatten(recording.structure, [unflatten(call.structure, block) for block in blocks])


AT_ONCE = 2**17
"""About how many elements a batch of cotangents has: so many that fit into the cache of a processor."""


def _pulled_together(
    recording: Recording | RecordingOfItems, leaves: Sequence[Any], k: int, unit: complex
) -> list[Any] | None:
    """The cotangents of every variable from those of each element of one output, by batches; None if that fails."""
    w = recording.leaves[k]
    size = prod(w.shape)
    if not (type(raw(w)) is np.ndarray or is_symbolic(raw(w))) or size < 2:
        return None
    step = max(AT_ONCE // recording.longest, 1)
    columns: list[list[Any]] = []
    for start in range(0, size, step):
        found = recording.pull_batch(k, range(start, min(start + step, size)), unit)
        if found is None:
            return None
        columns.append(found)
    return [
        np.zeros(w.shape + x.shape, x.dtype)
        if column[0] is None
        else np.reshape(settled(np.concatenate(column)), w.shape + x.shape)
        for column, x in zip(zip(*columns, strict=True), leaves, strict=True)
    ]


def _row(a: Any, b: Any, x: Any) -> Any:
    """The derivative from `a = J*(1)` and, for a complex output, `b = J*(i)`."""
    if x.dtype.kind == "c":
        q = a / 2 if b is None else (a + 1j * b) / 2
        return Wirtinger(np.conj(q) if b is None else np.conj((a - 1j * b) / 2), q)
    return a if b is None else a + 1j * b


def _basis(x: Any, unit: complex) -> list[Any]:
    """The unit directions of an array, times 1 or i."""
    directions = []
    for position in np.ndindex(x.shape):
        e = np.zeros_like(raw(x))
        e[position] = unit
        directions.append(e)
    return directions


def _gather(parts: Sequence[Any], w: Any, x: Any, axis: int) -> Any:
    shape = w.shape + x.shape
    if not parts:
        return np.zeros(shape, np.result_type(w.dtype, x.dtype))
    return np.reshape(np.stack(parts, axis=axis), shape) if shape else parts[0]


def wirtinger_derivatives(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that returns both partial derivatives, `df/dz` and `df/d(conj z)`.

    Parameters
    ----------
    f : callable
        Any function, real or complex valued, of arrays or trees of them; real arguments are taken as complex.
    argnums : int or sequence of int
        The positional arguments to differentiate.

    Returns
    -------
    callable
        With the arguments of `f`; returns `Wirtinger(dz, dzbar)`, each of shape `w.shape + z.shape`, nested in trees as
        in `jacobian`.  `f` is holomorphic where `dzbar` is zero.

    Raises
    ------
    NotDifferentiableError
        If an argument is an integer, or a derivative that is needed does not exist.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import wirtinger_derivatives
    >>> wirtinger_derivatives(lambda z: z * np.conj(z))(1 + 2j)
    Wirtinger(dz=np.complex128(1-2j), dzbar=np.complex128(1+2j))
    """
    return TransformedFunction(_of_complex, jacobian(f, argnums), argnums)


def _of_complex(f: Callable[..., Any], argnums: Argnums, /, *args: Any, **kwargs: Any) -> Any:
    call = Split(f, args, kwargs, argnums)
    return call(
        *[x if x.dtype.kind == "c" else x * np.ones((), np.result_type(x.dtype, np.complex64)) for x in call.leaves]
    )


def holomorphic_grad(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """A function that returns the complex derivative `f'(z)` of a holomorphic function.

    Parameters
    ----------
    f : callable
        Returns one complex number.
    argnums : int or sequence of int
        The positional arguments to differentiate; real ones are taken as complex.

    Returns
    -------
    callable
        With the arguments of `f`; returns `df/dz`, of the shape of the argument.

    Raises
    ------
    CauchyRiemannError
        If `df/d(conj z)` is not zero at the arguments, so that the complex derivative does not exist.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import holomorphic_grad
    >>> complex(holomorphic_grad(np.exp)(1j * np.pi).round(12))
    (-1+0j)
    """
    return TransformedFunction(_holomorphic_derivative, wirtinger_derivatives(f, argnums), argnums)


def _holomorphic_derivative(pairs: Callable[..., Any], argnums: Argnums, /, *args: Any, **kwargs: Any) -> Any:
    call = Split(pairs, args, kwargs, argnums)
    out, _ = flatten(pairs(*args, **kwargs))
    if [p.shape for p in out[::2]] != [z.shape for z in call.leaves]:
        raise TypeError("holomorphic_grad needs a function that returns one number; call wirtinger_derivatives")
    for p, q in zip(out[::2], out[1::2], strict=True):
        _check_cauchy_riemann(p, q)
    return unflatten(call.structure, out[::2])


def _check_cauchy_riemann(p: Any, q: Any) -> None:
    size = float(np.max(np.abs(everything(p)), initial=0.0))
    violation = float(np.max(np.abs(everything(q)), initial=0.0))
    if not violation <= 1e4 * np.finfo(p.dtype).eps * max(size, 1.0):
        raise CauchyRiemannError(
            f"the function is not holomorphic here: |df/d(conj z)| = {violation:.3g}, |df/dz| = {size:.3g}. For both "
            "partial derivatives call wirtinger_derivatives; for the gradient of a real loss call grad."
        )
