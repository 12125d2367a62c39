"""The rules of SciPy's ufuncs: any number of arguments and of outputs, each argument with its partial derivatives.

For outputs `w_k` of arguments `a_i` the differential is `dw_k = sum_i p_ki da_i`, and its adjoint
`g -> sum_k conj(p_ki) g_k`.  A function scaled by the exponential of a real part, which is that of a holomorphic
function times a phase, is not holomorphic in its last argument `z`: the phase adds `q_k Im(r dz)`, whose adjoint is
`i conj(r) Re(conj(q_k) g_k)`.  Far out the rest varies slowly, and in the pair of `dz` and `conj(dz)` its digits would
be lost beside those of the phase.  One row declares one function:

    kn = rule(special.kn, "n x", INTEGER, lambda w, n, x: -(kv(n - 1, x) + kv(n + 1, x)) / 2)

names its arguments and gives for each either its partial `(w, *args)`, a tuple where there are several outputs, or the
reason why there is none.  The reason is raised when that derivative is asked for, and not before.

What partials are made of, series, recurrences and nodes, is right to the digits of a double.  In a block of `precision`
derivatives are differences of mpmath's values instead, with as many more digits as they lose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial, wraps
from typing import Any, NamedTuple

import numpy as np

from ...backends import PRECISE, DeviceError, device_named, is_precise
from ...complex_autograd.array.stand_in import StandIn
from ...complex_autograd.engine.elementwise import elementwise, missing
from ...complex_autograd.engine.operands import asarray_like
from ...complex_autograd.engine.primitive import Primitive
from ...complex_autograd.engine.pullbacks import with_product
from ...complex_autograd.engine.space import Array, Cotangent, Space, Tangent
from ...complex_autograd.engine.trace import UFUNCS, pull_elementwise
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...determinism.docstrings import before_sections, with_level
from ..numerics.devices import is_on_device
from .alone import SHARING, alone_at_schedule
from .large_arrays import blocked, threaded

Partial = Callable[..., Any]

INTEGER = "it is an integer"

_DOUBLE = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
"""Single precision of each type of double precision."""
_SINGLE = [np.dtype(x) for x in _DOUBLE.values()]

RULES: dict[Any, Rule] = {}
"""The rule of every ufunc of `scipy.special`."""


class Rule(NamedTuple):
    """The arguments of a function, and of each its partial derivative or the reason why there is none."""

    arguments: tuple[str, ...]
    partials: tuple[Partial | str, ...]


class Pointwise(Primitive):
    """An elementwise function of any number of arguments, with one output or several."""

    __slots__ = ("partials", "phase")

    def __init__(self, function: Any, partials: Sequence[Partial], phase: Partial | None) -> None:
        super().__init__(function, registered=False)
        self.is_elementwise = True
        self.partials = partials
        self.phase = phase

    def push(self, out: Any, values: Sequence[Array], tangents: Sequence[Tangent], params: dict[str, Any]) -> Any:
        """The differential."""
        totals: list[Any] = [ZERO] * _count(out)
        for i, da in enumerate(tangents):
            if da is not ZERO:
                totals = [t + p * da for t, p in zip(totals, self._at(i, out, values, params), strict=True)]
        if self.phase is not None and tangents[-1] is not ZERO and values[-1].dtype.kind == "c":
            *rates, r = self.phase(out, *values, **params)
            dphase = np.imag(r * tangents[-1])
            totals = [t + q * dphase for t, q in zip(totals, rates, strict=True)]
        return tuple(totals) if isinstance(out, tuple) else totals[0]

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Array], spaces: Sequence[Space], params: dict[str, Any]
    ) -> Callable[[Any], Any]:
        """The adjoint of the differential, of the active arguments alone."""

        def adjoint(g: Any) -> list[Cotangent]:
            cotangents = _several(out, g)
            return [self._pull(i, cotangents, out, values, params) for i in active]

        return partial(pull_elementwise, adjoint)

    def _pull(
        self, i: int, cotangents: Sequence[Cotangent], out: Any, values: Sequence[Array], params: dict[str, Any]
    ) -> Cotangent:
        """The cotangent of one argument from those of the outputs, None for each that nothing depends on."""
        partials = [_conjugate(p) for p in self._at(i, out, values, params)]  # named: as in `pullbacks.py`
        terms = [g * p for g, p in zip(cotangents, partials, strict=True) if g is not None]
        if self.phase is not None and i == len(values) - 1 and values[-1].dtype.kind == "c":
            *rates, r = self.phase(out, *values, **params)
            of_phase = [np.real(np.conjugate(q) * g) for g, q in zip(cotangents, rates, strict=True) if g is not None]
            terms.append(1j * np.conjugate(r) * sum(of_phase[1:], of_phase[0]))
        return sum(terms[1:], terms[0])

    def _at(self, i: int, out: Any, values: Sequence[Any], params: dict[str, Any]) -> Any:
        return _of_precision(out, _several(out, self.partials[i](out, *values, **params)))


def _of_precision(out: Any, partials: Sequence[Any]) -> Sequence[Any]:
    """Partials that were computed in double precision next to outputs of single precision: rounded to it."""
    if getattr(out[0] if isinstance(out, tuple) else out, "dtype", None) not in _SINGLE:
        return partials
    return tuple(
        p.astype(_DOUBLE[p.dtype]) if getattr(p, "dtype", None) in _DOUBLE and hasattr(p, "astype") else p
        for p in partials
    )


def _count(out: Any) -> int:
    return len(out) if isinstance(out, tuple) else 1


def _several(out: Any, x: Any) -> Any:
    """One item an output."""
    return x if isinstance(out, tuple) else (x,)


def _conjugate(p: Any) -> Any:
    return np.conjugate(p) if hasattr(p, "dtype") and p.dtype.kind == "c" else p


def constant(w: Any, *args: Any) -> Any:
    """The partial of a function that is constant between its jumps."""
    return 0.0


def pointwise(*partials: Partial) -> Callable[[Callable[..., Any]], Pointwise]:
    """Declare an elementwise function of our own; its partials are functions `(w, *args, **params)`."""

    def declare(function: Callable[..., Any]) -> Pointwise:
        return Pointwise(function, partials, None)

    return declare


def with_rule(function: Any, ufunc: np.ufunc, partials: Sequence[Partial | str] | None) -> Pointwise:
    """A function with the derivatives of the rule of SciPy's ufunc, or with other partials."""
    return Pointwise(function, _blocked_partials(ufunc, partials or RULES[ufunc].partials), None)


_BESSEL = {f"{kind}v{scaled}" for kind in "ijky" for scaled in ("", "e")}
_LOST = _BESSEL | {"fresnel", "hankel1", "hankel1e", "hankel2", "hankel2e", "hyp2f1"}
"""Whose values SciPy may lose, which are NaN then, and whose derivatives are right there, or refused."""


def _blocked_partials(ufunc: np.ufunc, partials: Sequence[Partial | str], is_holomorphic: bool = True) -> list[Partial]:
    shares, types = ufunc.__name__ in SHARING, ufunc.types[0]

    def made(partial: Partial, i: int) -> Partial:
        is_own = hasattr(partial, "of_symbols") or ufunc.__name__ in _LOST
        known = partial if is_own else where_known(partial)
        own = blocked(known, f"derivative_{ufunc.__name__}{f'_{i}' * (ufunc.nin > 1)}")
        own = alone_at_schedule(own) if shares else own

        def call(w: Any, *args: Any) -> Any:
            if not PRECISE[0] or not is_precise():
                return own(w, *args)
            if not is_holomorphic:
                _refuse_complex(ufunc.__name__, args)
            orders = tuple(int(i == j) for j in range(ufunc.nin))
            found = [precise_derivative(ufunc.__name__, orders, k, types)(*args) for k in range(ufunc.nout)]
            return tuple(found) if isinstance(w, tuple) else found[0]

        of_large, with_value = getattr(partial, "of_large", None), getattr(partial, "with_value", None)
        if with_value is not None:
            vars(call)["with_value"] = with_value
        if of_large is not None:
            with_product(call, lambda args, g: None if PRECISE[0] and is_precise() else of_large(args, g))
        return call

    return [
        missing(f"scipy.special.{ufunc.__name__}", p, name) if isinstance(p, str) else made(p, i)
        for i, (name, p) in enumerate(zip(RULES[ufunc].arguments, partials, strict=True))
    ]


def where_known(derivative: Partial) -> Partial:
    """A partial derivative `(w, *args)` that is NaN where `w` is NaN, and is not called where all of it is."""

    @wraps(derivative)
    def known(w: Any, *args: Any) -> Any:
        values = w if isinstance(w, tuple) else (w,)
        first = raw(values[0])
        if type(first) is np.float64:
            is_nan = are_all = bool(first != first)
        elif is_on_device(first):  # whose values are not asked for
            is_nan, are_all = True, False
        else:
            each = np.isnan(first)
            is_nan = bool(each.any())
            are_all = is_nan and bool(each.all())
        if are_all:
            found = tuple(np.nan * x for x in values)  # and so are its own
            return found if isinstance(w, tuple) else found[0]
        found = derivative(w, *args)
        if not is_nan:
            return found
        return tuple(map(_known, values, found)) if isinstance(found, tuple) else _known(w, found)

    return known


def _known(w: Any, derivative: Any) -> Any:
    plain = raw(w)
    return np.where(np.isnan(plain), np.nan, 1.0).astype(plain.dtype.char.lower()) * derivative


def _refuse_complex(name: str, args: Sequence[Any]) -> None:
    if any(x.dtype.kind == "c" for x in args if hasattr(x, "dtype")):
        raise DeviceError(
            f"the derivative of special.{name} at complex numbers is not available in a precision block, since it is "
            "not holomorphic. Call it without the scaling, or outside the block."
        )


@cache
def precise_derivative(name: str, orders: tuple[int, ...], output: int = 0, types: str = "") -> Pointwise:
    """A derivative of a function that mpmath has, in a block of `precision`: an elementwise function.

    Parameters
    ----------
    name : str
        Of the function.
    orders : tuple of int
        The order in each argument; all 0 for the function itself.
    output : int
        Which of several outputs.
    types : str
        Where it has an F or a D, the argument is taken as complex.
    """

    def values(*args: Any) -> Any:
        return device_named("mpmath").kernel("special derivative")(name, orders, output, types, args)

    def next_one(i: int) -> Partial:
        above = tuple(n + (i == j) for j, n in enumerate(orders))
        return lambda w, *args: precise_derivative(name, above, output, types)(*args)

    return Pointwise(values, [next_one(i) for i in range(len(orders))], None)


def rule(function: Any, arguments: str, *partials: Partial | str, phase: Partial | None = None) -> StandIn:
    """Declare the rule of a ufunc, and return what is public of it: the ufunc over all cores.

    Parameters
    ----------
    function : ufunc
        The function.
    arguments : str
        The names of its arguments.
    *partials : callable or str
        Of each argument its partial `(w, *args)`, or the reason why there is none.
    phase : callable, optional
        Of complex arguments `(*q, r)`, the rates of the outputs and what the last argument's tangent is multiplied by.
    """
    RULES[function] = Rule(tuple(arguments.split()), partials)
    public = threaded(function)
    public.__dict__["documentation"] = lambda: with_level(documentation(function), public.operation)
    own = _blocked_partials(function, partials, phase is None)
    always_complex = function.types[0][0] in "FD"
    if function.nout == 1 and function.nin <= 2 and phase is None and not always_complex:
        elementwise(function, *own, computed_by=public.values)
    else:
        UFUNCS[function] = _call(Pointwise(public.values, own, phase and blocked(phase)))
    return public


def documentation(function: Any) -> str:
    """SciPy's, and before its parameters what there is of derivatives."""
    rule = RULES[function]
    lines = [f"{name} : {_answer(p)}" for name, p in zip(rule.arguments, rule.partials, strict=True)]
    lines = ["Derivatives", "-----------", *lines, "", "`docs/special.md` says how and where."]
    return before_sections(function.__doc__, lines)


def _answer(partial: Partial | str) -> str:
    if isinstance(partial, str):
        return f"none, {partial}"
    return "0, for it is constant between its jumps" if partial is constant else "in forward and reverse mode"


def _call(primitive: Pointwise) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        if any(isinstance(x, (list, tuple)) for x in args):
            traced = next(x for x in args if isinstance(x, Traced))
            args = tuple(asarray_like(x, traced) if isinstance(x, (list, tuple)) else x for x in args)
        return primitive(*args)

    return call
