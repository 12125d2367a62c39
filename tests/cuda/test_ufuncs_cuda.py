"""Ufuncs on the device: values and dtypes, keywords, `reduce`, `accumulate`, `reduceat`, `outer`, `at`, and errors."""

from __future__ import annotations

import math
import operator
from functools import reduce

import numpy as np
import pytest
from on_cuda import agree, needs_cuda, on_device

from wirtinger import to_host

pytestmark = needs_cuda

UFUNCS = [getattr(np, name) for name in np.__all__ if isinstance(getattr(np, name), np.ufunc) and name != "isnat"]
ELEMENTWISE = sorted({f for f in UFUNCS if f.signature is None}, key=lambda f: f.__name__)
BINARY = [f for f in ELEMENTWISE if f.nin == 2 and f.nout == 1 and f is not np.ldexp]  # whose operands differ in kind
TOLERANCE = {"f": 2e-6, "F": 4e-6}


def operands(count, char, shape=(3, 4)):
    random = np.random.default_rng(3)
    drawn = []
    for _ in range(count):
        if char in "?bBhHiIlLqQ":
            drawn.append(random.integers(1, 2 if char == "?" else 7, shape).astype(char))
        elif char in "FD":
            drawn.append((random.random(shape) + 1j * random.random(shape)).astype(char) * 0.7)
        else:
            drawn.append((random.random(shape) * 0.9 + 0.05).astype(char))
    return drawn


def takes(ufunc, char):
    try:
        ufunc.resolve_dtypes((np.dtype(char),) * ufunc.nin + (None,) * ufunc.nout)
    except TypeError:
        return False
    return True


def case(ufunc, char):
    return pytest.param(ufunc, char, id=f"{ufunc.__name__}-{np.dtype(char).name}")


def tolerance(char):
    return TOLERANCE.get(char, 1e-13)


@pytest.mark.parametrize(("ufunc", "char"), [case(f, char) for f in ELEMENTWISE for char in "ldD" if takes(f, char)])
def test_values_and_dtypes(ufunc, char):
    args = operands(ufunc.nin, char)
    with np.errstate(all="ignore"):
        expected = ufunc(*args)
    agree(ufunc(*on_device(args)), expected, tolerance(char))


FOLDED = (np.power, np.arctan2)
"""NumPy's loops of these with AVX-512, since 1.24, do not see that `reduce` overwrites the result: theirs is wrong."""


def folded(ufunc, a, axis=0):
    """What `ufunc.reduce` is by definition."""
    return reduce(ufunc, np.moveaxis(a, axis, 0))


@pytest.mark.parametrize("ufunc", BINARY, ids=operator.attrgetter("__name__"))
@pytest.mark.parametrize("method", ["reduce", "accumulate", "outer"])
def test_methods(ufunc, method):
    char = "d" if takes(ufunc, "d") else "l"
    a, b = operands(2, char)
    args = (a, b[0]) if method == "outer" else (a,)
    for options in ({},) if method == "outer" else ({}, {"axis": 1}):
        call = getattr(ufunc, method)
        try:
            with np.errstate(all="ignore"):
                expected = (
                    folded(ufunc, a, **options) if method == "reduce" and ufunc in FOLDED else call(*args, **options)
                )
        except TypeError:
            with pytest.raises(TypeError):
                call(*on_device(args), **options)
        else:
            agree(call(*on_device(args), **options), expected, 1e-13)


REDUCTIONS = {
    "all axes": {"axis": None},
    "two axes": {"axis": (0, 1), "keepdims": True},
    "no axis": {"axis": ()},
    "initial": {"initial": 2.0, "axis": 1},
    "initial and where": {"initial": 0.25, "where": [True, False, True, True]},
    "dtype": {"dtype": np.float32},
}


@pytest.mark.parametrize("options", REDUCTIONS.values(), ids=REDUCTIONS)
@pytest.mark.parametrize("ufunc", [np.add, np.multiply, np.maximum, np.fmin, np.logaddexp, np.hypot])
def test_reductions(ufunc, options):
    (a,) = operands(1, "d")
    single = options.get("dtype") is np.float32
    agree(ufunc.reduce(*on_device([a]), **options), ufunc.reduce(a, **options), 1e-6 if single else 1e-13)


@pytest.mark.parametrize("ufunc", [np.add, np.multiply, np.maximum, np.minimum, np.subtract, np.logical_and])
@pytest.mark.parametrize("axis", [0, 1])
def test_reduceat(ufunc, axis):
    (a,) = operands(1, "d", (6, 5))
    places = [0, 3, 1, 4]
    agree(ufunc.reduceat(*on_device([a]), places, axis), ufunc.reduceat(a, places, axis), 1e-13)


@pytest.mark.parametrize("char", "dFlB")
@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, np.maximum, np.minimum])
def test_at(ufunc, char):
    a, b = operands(2, char, (5,))
    (x,), places = on_device([a]), [0, 3, 0, 0, 4]
    expected = a.copy()
    ufunc.at(expected, places, b)
    ufunc.at(x, places, *on_device([b]))
    agree(x, expected, tolerance(char))


@pytest.mark.parametrize("char", "dD")
def test_a_call_with_keywords(char):
    a, b = operands(2, char)
    x, y = on_device([a, b])
    mask = a.real > 0.4
    out, kept = np.zeros_like(a), np.zeros_like(x)
    assert np.add(x, y, out=kept) is kept
    agree(kept, a + b, 1e-15)
    np.multiply(a, b, out=out, where=mask)
    kept[...] = 0
    np.multiply(x, y, out=kept, where=on_device([mask])[0])
    agree(kept, out, 1e-15)
    agree(np.sqrt(on_device([np.arange(4)])[0], dtype=np.float32), np.sqrt(np.arange(4), dtype=np.float32), 1e-7)
    agree(np.add(x, 1, order="F"), np.add(a, 1, order="F"), 1e-15)


ERRORS = {
    "result that does not fit": lambda x: np.add(x, 1j, out=np.zeros_like(x)),
    "shape that does not fit": lambda x: np.add(x, x, out=np.zeros_like(x, shape=(2,))),
    "no identity": lambda x: np.maximum.reduce(x[:0]),
    "mask without a start": lambda x: np.maximum.reduce(x, where=x > 0),
    "axes in no order": lambda x: np.subtract.reduce(x, axis=(0, 1)),
    "unary": lambda x: np.sin.reduce(x),
    "axis": lambda x: np.sum(x, axis=5),
    "shapes": lambda x: x + x[:, :2],
    "matrices": lambda x: x @ x,
    "bits of numbers": lambda x: x & x,
    "repeated axis": lambda x: np.sum(x, axis=(0, 0)),
    "in place": lambda x: x.__iadd__(1j),
}


@pytest.mark.parametrize("wrong", ERRORS.values(), ids=ERRORS)
def test_errors_are_numpys(wrong):
    (a,) = operands(1, "d")
    with pytest.raises(Exception) as expected:
        wrong(a)
    with pytest.raises(expected.type):
        wrong(*on_device([a]))


@pytest.mark.parametrize("ufunc", [np.matvec, np.vecmat, np.vecdot, np.matmul])
def test_generalized(ufunc):
    a, b = operands(2, "D", (2, 3, 3))
    args = {np.matvec: (a, b[:, 0]), np.vecmat: (b[:, 0], a), np.vecdot: (a, b), np.matmul: (a, b)}[ufunc]
    agree(ufunc(*on_device(args)), ufunc(*args), 1e-14)
    with pytest.raises(ValueError, match="mismatch"):
        ufunc(*on_device([args[0], args[1][..., :2, :2]]))


EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, math.inf, -math.inf, math.nan)
ARITHMETIC = (
    *(np.divide, np.reciprocal, np.power, np.sign, np.log, np.log1p, np.log2, np.exp2, np.remainder, np.floor_divide),
    *(np.divmod, np.less, np.less_equal, np.greater, np.greater_equal, np.maximum, np.minimum, np.fmax, np.fmin),
)


def operands_at_edges(ufunc, char):
    points = [complex(a, b) for a in EDGES for b in EDGES] if char in "FD" else EDGES
    if ufunc is np.power:  # infinities raised: C's libraries differ in which NaN they give
        points = [z for z in points if np.isfinite(z)]
    return [x.ravel().astype(char) for x in np.meshgrid(*[points] * ufunc.nin)]


@pytest.mark.parametrize(("ufunc", "char"), [case(f, char) for f in ARITHMETIC for char in "dfDF" if takes(f, char)])
def test_infinities_zeros_and_nan(ufunc, char):
    args = operands_at_edges(ufunc, char)
    with np.errstate(all="ignore"):
        expected = ufunc(*args)
    found = ufunc(*on_device(args))
    pairs = zip(expected, found, strict=True) if ufunc.nout > 1 else [(expected, found)]
    for e, f in pairs:
        f = to_host(f)
        if e.dtype.kind == "c":
            e, f = (np.stack([z.real, z.imag]) for z in (e, f))
        np.testing.assert_allclose(f, e, rtol=tolerance(char), atol=tolerance(char))


def test_large_angles():
    """Where the argument is reduced by the digits of 2 / pi."""
    x = np.array([1e9, -1e22, 1e300, 2.0**1000])
    for ufunc in (np.sin, np.cos, np.tan):
        agree(ufunc(*on_device([x])), ufunc(x), 1e-15)
