"""Samples of the ufuncs, their keywords and methods, and of the elementwise functions beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import array, distinct, inside, positive, sample

MASK = [[True, False, True, True], [False, True, True, False], [True, True, False, True]]
SOME_NUMBERS = [1.5, np.nan, -np.inf, np.inf]


def functions(names: str) -> list[tuple[str, Any]]:
    """Some of NumPy's functions, each with its full name."""
    return [(f"numpy.{name}", getattr(np, name)) for name in names.split()]


def apart(x: Any) -> Any:
    """Away from 0 and from integers and half integers, of both signs."""
    return np.round(3 * x.real) + 0.3 + 0.1 * np.tanh(x.real) + (1j * x.imag if np.iscomplexobj(x) else 0)


def above_one(x: Any) -> Any:
    """Into the domain of arccosh, away from its branch point."""
    return positive(x) + 1


def moderate(x: Any) -> Any:
    """Far enough from 0 that a quotient is not large."""
    return x * (1 + 1 / np.abs(x))


# arithmetic

for name, f in functions("add subtract multiply"):
    sample(name, f, array(3, 4), array(3, 4))
    sample(name, f, array(3, 1), array(4), label="broadcast")
    sample(name, lambda a, f=f: f(a, a), array(3), label="with-itself")
    sample(name, lambda a, f=f: f([1.0, -2.0, 0.5], a), array(2, 3), label="list")
    sample(name, lambda a, f=f: f(a, 2), array(), label="number")
    sample(name, lambda a, b, f=f: f(np.real(a), b), array(3), array(3), label="real-and-any")
for name, f in functions("divide true_divide"):
    sample(name, f, array(3, 4), array(4, domain=moderate))
    sample(name, lambda a, f=f: f(a, 3) + f(2.0, a), array(3, domain=moderate), label="numbers")
    sample(name, lambda a, b, f=f: f(np.real(a), b), array(3), array(3, domain=moderate), label="real-and-any")
sample("numpy.divide", lambda a: a / [1, 2, 4] + [[1], [2]] / a, array(3, domain=moderate), label="lists")
sample("numpy.negative", np.negative, array(3, 4))
sample("numpy.positive", np.positive, array(3, 4))
sample("numpy.add", lambda a, b: a - (+b) * 2 + (-a) / 4 + abs(b), array(3), array(3), label="operators")
sample("numpy.subtract", lambda a: 2 - a + (1 - a) * (3 * a), array(), label="scalar-operators")

# powers and roots

sample("numpy.square", np.square, array(3, 4))
sample("numpy.square", lambda z: np.square(np.abs(z)), array(3, 4), label="of-absolute")
sample("numpy.sqrt", np.sqrt, array(3, 4, domain=positive))
sample("numpy.cbrt", np.cbrt, array(3, 4, domain=moderate), kinds="f")
sample("numpy.reciprocal", np.reciprocal, array(3, 4, domain=moderate))
for name, f in functions("power float_power"):
    sample(name, f, array(3, 4, domain=positive), array(4))
    sample(name, lambda a, f=f: f(a, a), array(3, domain=positive), label="with-itself")
    sample(name, lambda b, f=f: f(2.5, b) + f(np.e, b), array(3), label="number-base")
    for n in (-3, -1, 0, 1, 2, 3, 0.5, 1.7):
        sample(name, lambda a, f=f, n=n: f(a, n), array(3, domain=positive), label=f"exponent-{n}")
    sample(name, lambda a, f=f: f(a, [0, 1, 2, 3, 5]), array(2, 5, domain=moderate), label="integer-exponents")
    sample(name, lambda z, f=f: f(np.abs(z), 2), array(3, 4), label="of-absolute")
sample("numpy.pow", lambda a: a**2 + a**3 - a**-1 + a**0 + a**1, array(3, domain=moderate), label="operators")
sample("numpy.pow", lambda a, b: a**b + 2**b + a**0.5, array(3, domain=positive), array(3), label="operator-arrays")
sample("numpy.pow", lambda z: np.abs(z) ** 2 + np.abs(z) ** 3, array(3, 4), label="operator-of-absolute")
sample("numpy.power", lambda a: np.power(a, 1.5 - 0.5j), array(3, domain=positive), label="complex-exponent")

# exponentials and logarithms

for name, f in functions("exp exp2 expm1"):
    sample(name, f, array(3, 4))
for name, f in functions("log log2 log10 log1p"):
    sample(name, f, array(3, 4, domain=positive))
for name, f in functions("logaddexp logaddexp2"):
    sample(name, f, array(3, 4), array(4), kinds="f")
    sample(name, lambda a, f=f: f(0.0, a), array(3, 4), kinds="f", label="softplus")

# trigonometric and hyperbolic functions and their inverses

for name, f in functions("sin cos tan sinh cosh tanh"):
    sample(name, f, array(3, 4, domain=inside))
for name, f in functions("arcsin arccos arctan arcsinh arctanh"):
    sample(name, f, array(3, 4, domain=inside))
for name, f in functions("arcsin arccos arctan arcsinh arccosh arctanh"):
    sample(name, lambda z, f=f: f(3 * z), array(3, 4, domain=apart), kinds="c", label="plane")
sample("numpy.arctan", np.arctan, array(3, 4), kinds="f", label="line")
sample("numpy.arcsinh", np.arcsinh, array(3, 4), kinds="f", label="line")
sample("numpy.arccosh", np.arccosh, array(3, 4, domain=above_one))
for name, f in functions("degrees radians deg2rad rad2deg"):
    sample(name, f, array(3, 4), kinds="f")

# absolute value and phase

sample("numpy.absolute", np.absolute, array(3, 4, domain=moderate))
sample("numpy.absolute", lambda z: abs(z) * np.abs(z), array(3, 4, domain=moderate), label="operator")
sample("numpy.fabs", np.fabs, array(3, 4, domain=moderate), kinds="f")
sample("numpy.sign", lambda z: np.sign(z) * z, array(3, 4, domain=moderate))
sample("numpy.conjugate", np.conjugate, array(3, 4))
sample("numpy.conjugate", lambda z: np.conj(z) * z * np.conj(z), array(3, 4), label="non-holomorphic")
sample("numpy.angle", lambda z: np.angle(z) + z, array(3, 4, domain=positive))
sample("numpy.angle", lambda z: np.angle(z, deg=True) * np.abs(z), array(3, 4, domain=positive), label="degrees")
sample("numpy.hypot", np.hypot, array(3, 4, domain=moderate), array(4, domain=moderate), kinds="f")
sample("numpy.arctan2", np.arctan2, array(3, 4, domain=moderate), array(4, domain=moderate), kinds="f")
sample("numpy.copysign", lambda a, b: np.copysign(a, b) * b, array(3, 4), array(4, domain=moderate), kinds="f")
sample("numpy.copysign", lambda b: np.copysign(2.0, b) * b, array(3, domain=moderate), kinds="f", label="sign-only")

# comparisons that select, and functions with jumps

for name, f in functions("maximum minimum fmax fmin"):
    sample(name, f, array(3, 4), array(3, 4))
    sample(name, lambda a, f=f: f(a, 0.1) * f(-0.2, a), array(3, 4), label="numbers")
for name, f in functions("fmax fmin"):
    sample(name, lambda a, f=f: f(a, [0.1, np.nan, 0.3]), array(2, 3), label="nan")
sample("numpy.clip", lambda a: np.clip(a, -0.5, 0.7), array(3, 4))
sample("numpy.clip", np.clip, array(3, 4), array(4, domain=lambda x: inside(x) - 1), array(3, 1, domain=positive))
sample("numpy.clip", lambda a: np.clip(a, None, 0.5) + np.clip(a, min=-0.1), array(3, 4), label="one-sided")
sample("numpy.heaviside", lambda a, b: np.heaviside([0.0, 1.0, -1.0], b) + a, array(3), array(3), kinds="f")
sample("numpy.heaviside", lambda a: np.heaviside(a, 0.5) * a, array(3), kinds="f", label="step")
for name, f in functions("floor ceil rint trunc" + " fix" * (np.lib.NumpyVersion(np.__version__) < "2.5.0")):
    sample(name, lambda a, f=f: f(a) * a, array(3, 4, domain=apart), kinds="f")
for name, f in functions("round around"):
    sample(name, lambda a, f=f: f(a, 1) * a, array(3, 4, domain=apart))
sample("numpy.spacing", lambda a: np.spacing(a) + a, array(3, domain=positive), kinds="f")
sample("numpy.greater", lambda a: (a > 0) * a + (a <= [0.1, 0.2, 0.3]) * a, array(3), kinds="f")
sample("numpy.equal", lambda a: (a == 0) + (a != 1) * a, array(3))
sample("numpy.isnan", lambda a: np.where(np.isnan(a) | ~np.isfinite(a), 0.0, a), array(3))

# remainders, and numbers taken apart

for name, f in functions("remainder mod fmod"):
    sample(name, f, array(3, 4, domain=apart), array(4, domain=moderate), kinds="f")
    sample(name, lambda a, f=f: f(a, 1.0), array(3, 4, domain=apart), kinds="f", label="number")
sample("numpy.floor_divide", lambda a: (a // 0.7) * a, array(3, 4, domain=apart), kinds="f")
sample("numpy.divmod", np.divmod, array(3, 4, domain=apart), array(4, domain=moderate), kinds="f")
sample(
    "numpy.divmod", lambda a: divmod(a, 0.7)[1] + divmod(5.0, a)[0], array(3, domain=apart), kinds="f", label="operator"
)
sample("numpy.modf", np.modf, array(3, 4, domain=apart), kinds="f")
sample("numpy.frexp", lambda a: np.frexp(a)[0] * a, array(3, 4, domain=apart), kinds="f")
sample("numpy.ldexp", lambda a: np.ldexp(a, [3, -1, 0, 2]), array(3, 4), kinds="f")
sample("numpy.ldexp", lambda a: np.ldexp(a, 3), array(3, 4), kinds="f", label="number")

# elementwise functions that are no ufuncs

sample("numpy.sinc", np.sinc, array(3, 4))
sample("numpy.sinc", lambda a: np.sinc(a / 50), array(3, 4), label="near-zero")
sample("numpy.i0", np.i0, array(3, 4), kinds="f")
sample("numpy.nan_to_num", np.nan_to_num, array(3, 4))
sample(
    "numpy.nan_to_num",
    lambda a: np.nan_to_num(a + SOME_NUMBERS, nan=2.0, posinf=3.0, neginf=-1.0),
    array(3, 4),
    label="replaced",
)
sample("numpy.real_if_close", lambda a: np.real_if_close(a * 1e3) + np.real_if_close(np.abs(a) + 1e-30j), array(3))

# keywords

sample("numpy.log", lambda a: np.log(a, where=MASK, out=None)[MASK], array(3, 4, domain=positive), label="where")
sample("numpy.add", lambda a, b: np.add(a, b, where=MASK, out=None)[MASK], array(3, 4), array(4), label="where")
sample(
    "numpy.divide", lambda a: np.divide(1, a, where=MASK, out=None)[MASK], array(3, 4, domain=moderate), label="where"
)
sample("numpy.multiply", lambda a: np.multiply(a, 2.0, dtype=np.complex128), array(3, 4), label="dtype")
sample("numpy.add", lambda a: np.add(a, 1, order="F", subok=False, casting="safe"), array(3), label="settings")
sample("numpy.sin", lambda a: np.sin(a, signature=(None, np.complex128)), array(3), label="signature")

# methods

for name, f in functions("add multiply maximum minimum"):
    domain = distinct if f in (np.maximum, np.minimum) else None
    sample(f"{name}.reduce", lambda a, f=f: f.reduce(a), array(3, 4, domain=domain))
    sample(
        f"{name}.reduce", lambda a, f=f: f.reduce(a, (0, 2), keepdims=True), array(2, 3, 2, domain=domain), label="axes"
    )
    sample(f"{name}.reduce", lambda a, f=f: f.reduce(a, None, initial=0.3), array(3, 4, domain=domain), label="initial")
    sample(f"{name}.accumulate", lambda a, f=f: f.accumulate(a), array(3, 4, domain=domain))
    sample(f"{name}.accumulate", lambda a, f=f: f.accumulate(a, 1), array(3, 4, domain=domain), label="axis")
    sample(f"{name}.reduceat", lambda a, f=f: f.reduceat(a, [0, 2, 1]), array(4, 2, domain=domain))
    sample(f"{name}.reduceat", lambda a, f=f: f.reduceat(a, [0, 3], 1), array(2, 5, domain=domain), label="axis")
for name, f in functions("fmax fmin hypot logaddexp logaddexp2"):
    domain = distinct if f in (np.fmax, np.fmin) else moderate
    sample(f"{name}.reduce", lambda a, f=f: f.reduce(a, axis=1), array(3, 4, domain=domain), kinds="f")
    sample(
        f"{name}.reduce",
        lambda a, f=f: f.reduce(a, None, keepdims=True),
        array(3, 4, domain=domain),
        kinds="f",
        label="all",
    )
    sample(f"{name}.accumulate", lambda a, f=f: f.accumulate(a, axis=1), array(3, 4, domain=domain), kinds="f")
sample("numpy.logaddexp.reduce", lambda a: np.logaddexp.reduce(a, 1, where=MASK), array(3, 4), kinds="f", label="where")
sample("numpy.subtract.reduce", lambda a: np.subtract.reduce(a, 1, initial=2.0), array(3, 4))
sample("numpy.divide.accumulate", lambda a: np.divide.accumulate(a, 1), array(2, 3, domain=moderate))
for name, f in functions("add multiply divide power maximum"):
    sample(f"{name}.outer", f.outer, array(2, domain=positive), array(3, domain=positive))
    sample(f"{name}.outer", lambda a, f=f: f.outer([[1.5, 2.0]], a), array(3, 2, domain=positive), label="list")


def written(ufunc: Any, index: Any) -> Any:
    """The array after `ufunc.at`."""

    def call(a: Any, *values: Any) -> Any:
        a = a + 0
        ufunc.at(a, index, *values)
        return a

    return call


for name, f in functions("add subtract multiply divide maximum"):
    sample(f"{name}.at", written(f, [0, 2, 0, 0]), array(4), array(4, domain=moderate), label="repeated")
    sample(f"{name}.at", written(f, (slice(None), [1, 0])), array(3, 2), array(2, domain=moderate), label="mixed")
sample("numpy.negative.at", written(np.negative, [0, 2, 0]), array(4))
sample("numpy.square.at", written(np.square, [0, 2, 0]), array(4))
