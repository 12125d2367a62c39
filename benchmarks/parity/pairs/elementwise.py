"""Elementwise functions, on the whole plane, at kinks, and broadcast."""

from __future__ import annotations

import torch

import wirtinger as np

from . import EVERY, above_one, away_from_zero, fixed, inside, normal, pair, positive, same

SHAPES = ((), (5,), (0,), (2, 3, 4))
BROADCAST = (((), ()), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3,)), ((2, 3), ()), ((0, 3), (3,)), ((2, 1, 3), (4, 1)))
REAL = ("f",)
COMPLEX = ("c",)
THEIRS_IS_NAN = "theirs is NaN in second order, where the derivative exists"
TIES = "at a tie ours is the mean of the derivatives on both sides, as theirs for maximum and minimum; here theirs takes one side"


def _unary(names, domain, kinds=("f", "c"), shapes=SHAPES):
    for name in names.split():
        ours, _, theirs = name.partition("=")
        for shape in shapes:
            pair(f"numpy.{ours}", getattr(np, ours), getattr(torch, theirs or ours), domain(*shape), kinds=kinds)


_unary("sin cos sinh cosh tanh exp expm1 square negative positive conj=conj_physical real absolute", normal)
_unary("arctan arcsinh tan sinc exp2", normal)
_unary("imag angle sign=sgn", normal, COMPLEX)
_unary(
    "fabs=abs deg2rad rad2deg degrees=rad2deg radians=deg2rad i0 sign angle real_if_close=positive",
    away_from_zero,
    REAL,
)
_unary("sqrt log log2 log10 log1p reciprocal", positive)
_unary("sqrt log log2 log10 log1p reciprocal", away_from_zero, COMPLEX)
_unary("arcsin arccos arctanh", inside)
_unary("arcsin arccos arctanh arccosh", normal, COMPLEX)
_unary("arccosh", above_one)
_unary("ceil floor trunc fix rint=round round spacing=zeros_like", normal, REAL, ((5,),))

for _shape in SHAPES:
    pair("numpy.cbrt", np.cbrt, lambda x: x ** (1 / 3), positive(*_shape), kinds=REAL)
    pair("numpy.nan_to_num", np.nan_to_num, torch.nan_to_num, normal(*_shape), kinds=REAL)
pair("numpy.modf", np.modf, lambda x: (torch.frac(x), torch.trunc(x)), normal(4), kinds=REAL)
pair("numpy.frexp", lambda x: np.frexp(x)[0], lambda x: torch.frexp(x)[0], normal(4), kinds=REAL)
pair("numpy.frexp", np.frexp, lambda x: x / 2 ** (torch.floor(torch.log2(x.detach().abs())) + 1), normal(4), kinds=REAL)
pair("numpy.ldexp", lambda x: np.ldexp(x, 3), lambda x: torch.ldexp(x, torch.tensor(3)), normal(4), kinds=REAL)

for _a, _b in BROADCAST:
    for _name in ("add", "subtract", "multiply"):
        same(
            f"numpy.{_name}", lambda F, a, b, name=_name: getattr(F, name)(a, b), normal(*_a), normal(*_b), kinds=EVERY
        )
    same("numpy.divide", lambda F, a, b: F.divide(a, b), normal(*_a), away_from_zero(*_b), kinds=EVERY)
    same("numpy.power", lambda F, a, b: F.pow(a, b), positive(*_a), normal(*_b), kinds=EVERY)
    pair("numpy.float_power", np.float_power, torch.float_power, positive(*_a), normal(*_b), kinds=EVERY)
    for _name in ("arctan2", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "fmax", "fmin", "copysign"):
        same(f"numpy.{_name}", lambda F, a, b, name=_name: getattr(F, name)(a, b), normal(*_a), normal(*_b), kinds=REAL)
    pair(
        "numpy.floor_divide",
        np.floor_divide,
        lambda a, b: torch.floor(a / b),
        normal(*_a),
        away_from_zero(*_b),
        kinds=REAL,
    )
    for _name in ("remainder", "fmod"):
        same(
            f"numpy.{_name}",
            lambda F, a, b, name=_name: getattr(F, name)(a, b),
            normal(*_a),
            away_from_zero(*_b),
            kinds=REAL,
        )
    pair(
        "numpy.divmod",
        np.divmod,
        lambda a, b: (torch.floor(a / b), torch.remainder(a, b)),
        normal(*_a),
        away_from_zero(*_b),
        kinds=REAL,
    )
    pair(
        "numpy.heaviside",
        np.heaviside,
        lambda a, b: torch.where(a > 0, 1.0, 0.0 * b),
        away_from_zero(*_a),
        normal(*_b),
        kinds=REAL,
    )

for _exponent in (2, 3, -1, 0, 0.5, -1.5, 1):
    same("numpy.power", lambda F, a, p=_exponent: a**p, positive(3), kinds=("f", "c"))
for _exponent in (2, 3, -1, 0, 1):
    same("numpy.power", lambda F, a, p=_exponent: a**p, away_from_zero(2, 3), kinds=("f", "c"))
same("numpy.power", lambda F, a: 2**a, normal(3))
same("numpy.power", lambda F, a: (1.5 + 0.5j) ** a, normal(3))
same("numpy.multiply", lambda F, a: 2 * a * 3j - 1j + a / (1 + 2j), normal(3))
same("numpy.divide", lambda F, a: 1 / a - (2 - a), away_from_zero(3))
same("numpy.add", lambda F, a, b: a + b + 1 - (-a) * (+b), normal(2, 3), normal(3), kinds=EVERY)

# both bounds of clip, as numbers and as arrays
same("numpy.clip", lambda F, a: F.clip(a, -0.5, 0.7), normal(3, 4), kinds=REAL)
pair("numpy.clip", lambda a: np.clip(a, None, 0.2), lambda a: torch.clip(a, max=0.2), normal(3, 4), kinds=REAL)
same("numpy.clip", lambda F, a, b, c: F.clip(a, b, c), normal(3, 4), normal(4), normal(3, 1), kinds=REAL)

# compositions that have to be stable
same("numpy.log", lambda F, a: F.log(F.sum(F.exp(a - F.amax(a)))) + F.amax(a), normal(3, 4), kinds=REAL)
pair(
    "numpy.logaddexp",
    lambda a: np.logaddexp.reduce(a),
    lambda a: torch.logsumexp(a, 0),
    normal(5),
    kinds=REAL,
)
same("numpy.exp", lambda F, a: F.exp(-F.square(F.abs(a))) * F.sin(a) / (1 + F.abs(a)), normal(3, 4))
same("numpy.tanh", lambda F, a: F.tanh(a * 40), normal(4), kinds=REAL)

# kinks and other special points
ZEROS = [-1.0, 0.0, 2.0, -0.0]
for _name in ("absolute", "sign", "square", "sin", "i0", "positive"):
    same(f"numpy.{_name}", lambda F, a, name=_name: getattr(F, name)(a), fixed(ZEROS), kinds=REAL)
same("numpy.sinc", lambda F, a: F.sinc(a), fixed(ZEROS), kinds=REAL, differs=THEIRS_IS_NAN)
pair(
    "numpy.sign",
    np.sign,
    torch.sgn,
    fixed(ZEROS),
    kinds=COMPLEX,
    differs="in second order theirs is NaN at 0, where both take 0 as the derivative",
)
pair(
    "numpy.nan_to_num",
    np.nan_to_num,
    torch.nan_to_num,
    fixed([1.0, float("nan"), -2.0]),
    kinds=REAL,
)
same("numpy.absolute", lambda F, a: F.abs(a), fixed(ZEROS), kinds=COMPLEX)
same("numpy.angle", lambda F, a: F.angle(a), fixed([-1.0, 2.0, 1.5]), kinds=REAL)
for _exponent in (0, 1, 2):
    same("numpy.power", lambda F, a, p=_exponent: a**p, fixed(ZEROS))
same(
    "numpy.power",
    lambda F, a, b: F.pow(a, b),
    fixed([0.0, 0.0]),
    fixed([2.0, 3.0]),
    kinds=REAL,
    differs="in second order theirs is NaN, from log 0; ours takes the limit",
)
same("numpy.power", lambda F, a, b: F.pow(a, b), fixed([2.0, 0.5, 3.0]), fixed([-1.0, 1.0, 2.0]))
same(
    "numpy.power",
    lambda F, a, b: F.pow(a, b),
    fixed([2.0, 0.5]),
    fixed([0.0, 0.0]),
    differs="theirs takes the derivative in the base as the constant 0 where the exponent is 0, and so loses d/db of b a**(b - 1)",
)
for _name in ("maximum", "minimum"):
    same(
        f"numpy.{_name}",
        lambda F, a, b, name=_name: getattr(F, name)(a, b),
        fixed([1.0, 2.0, 3.0]),
        fixed([1.0, 3.0, 2.0]),
        kinds=REAL,
    )
for _name in ("fmax", "fmin"):
    same(
        f"numpy.{_name}",
        lambda F, a, b, name=_name: getattr(F, name)(a, b),
        fixed([1.0]),
        fixed([1.0]),
        kinds=REAL,
        differs=TIES,
    )
    same(
        f"numpy.{_name}",
        lambda F, a, b, name=_name: getattr(F, name)(a, b),
        fixed([float("nan"), 1.0, 2.0]),
        fixed([3.0, float("nan"), 1.0]),
        kinds=REAL,
    )
same("numpy.hypot", lambda F, a, b: F.hypot(a, b), fixed([0.0, 3.0]), fixed([1.0, 0.0]), kinds=REAL)
same(
    "numpy.hypot",
    lambda F, a, b: F.hypot(a, b),
    fixed([0.0]),
    fixed([0.0]),
    kinds=REAL,
    differs="theirs is NaN; ours is 0, the smallest subgradient, as both take it for abs of a complex number",
)
same("numpy.arctan2", lambda F, a, b: F.arctan2(a, b), fixed([0.0, 1.0]), fixed([-1.0, 0.0]), kinds=REAL)
same("numpy.clip", lambda F, a: F.clip(a, -1.0, 2.0), fixed([-1.0, 0.0, 2.0, 3.0]), kinds=REAL, differs=TIES)
same(
    "numpy.logaddexp",
    lambda F, a, b: F.logaddexp(a, b),
    fixed([1000.0, -800.0]),
    fixed([999.0, 800.0]),
    kinds=REAL,
    differs=THEIRS_IS_NAN,
)
same(
    "numpy.where",
    lambda F, a: F.where(a > 0, F.sqrt(F.where(a > 0, a, F.ones_like(a))), 0 * a),
    fixed(ZEROS),
    kinds=REAL,
)
