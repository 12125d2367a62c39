"""Elementwise functions: on their whole domains, broadcast, and at kinks."""

from __future__ import annotations

import torch

import wirtinger as np

from . import (
    ANY,
    COMPLEX,
    MIXED,
    REAL,
    above_one,
    alike,
    away_from_zero,
    fixed,
    inside,
    normal,
    pair,
    positive,
    same,
)

SHAPES = ((), (5,), (0,), (2, 3, 4))
BROADCAST = (((), ()), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3,)), ((2, 3), ()), ((0, 3), (3,)), ((2, 1, 3), (4, 1)))
NAN = float("nan")


def _unary(names, domain, kinds=ANY, shapes=SHAPES):
    """Functions of one argument, by their name, or by "ours=theirs"."""
    for name in names.split():
        ours, _, theirs = name.partition("=")
        for shape in shapes:
            alike(f"numpy.{ours}", domain(*shape), theirs=theirs, kinds=kinds)


def _binary(names, first, second, kinds):
    """Functions of two arguments, broadcast in every way."""
    for name in names.split():
        ours, _, theirs = name.partition("=")
        for a, b in BROADCAST:
            alike(f"numpy.{ours}", first(*a), second(*b), theirs=theirs, kinds=kinds)


_unary("sin cos sinh cosh tanh exp expm1 square negative positive conj=conj_physical real absolute", normal)
_unary("tan arctan arcsinh sinc exp2", normal)
_unary("imag angle sign=sgn", normal, COMPLEX)
_unary("fabs=abs deg2rad rad2deg degrees=rad2deg radians=deg2rad i0 sign angle", away_from_zero, REAL)
_unary("real_if_close=positive nan_to_num", normal, REAL)
_unary("sqrt log log2 log10 log1p reciprocal", positive)
_unary("sqrt log log2 log10 log1p reciprocal", away_from_zero, COMPLEX)
_unary("arcsin arccos arctanh", inside)
_unary("arcsin arccos arctanh arccosh", normal, COMPLEX)
_unary("arccosh", above_one)
_unary("ceil floor trunc fix rint=round round spacing=zeros_like", normal, REAL, ((5,),))
pair("numpy.cbrt", np.cbrt, lambda x: x ** (1 / 3), positive(2, 3), kinds=REAL)
pair("numpy.modf", np.modf, lambda x: (torch.frac(x), torch.trunc(x)), normal(4), kinds=REAL)
pair("numpy.frexp", lambda x: np.frexp(x)[0], lambda x: torch.frexp(x)[0], normal(4), kinds=REAL)
pair("numpy.ldexp", lambda x: np.ldexp(x, 3), lambda x: torch.ldexp(x, torch.tensor(3)), normal(4), kinds=REAL)

_binary("add subtract multiply", normal, normal, MIXED)
_binary("divide", normal, away_from_zero, MIXED)
_binary("pow float_power", positive, normal, MIXED)
_binary("arctan2 hypot logaddexp logaddexp2 maximum minimum fmax fmin copysign", normal, normal, REAL)
_binary("remainder fmod", normal, away_from_zero, REAL)
FLOOR_QUOTIENT = normal(3, 1), away_from_zero(4)
pair("numpy.floor_divide", np.floor_divide, lambda a, b: torch.floor(a / b), *FLOOR_QUOTIENT, kinds=REAL)
pair("numpy.divmod", np.divmod, lambda a, b: (torch.floor(a / b), torch.remainder(a, b)), *FLOOR_QUOTIENT, kinds=REAL)
pair("numpy.heaviside", np.heaviside, lambda a, b: (a > 0) + 0 * b, away_from_zero(3, 1), normal(4), kinds=REAL)


def _power(exponent, argument):
    same("numpy.power", lambda F, a: a**exponent, argument)


for _exponent in (2, 3, -1, 0, 0.5, -1.5, 1):
    _power(_exponent, positive(3))
for _exponent in (2, 3, -1, 0, 1):
    _power(_exponent, away_from_zero(2, 3))
same("numpy.power", lambda F, a: 2**a, normal(3))
same("numpy.power", lambda F, a: (1.5 + 0.5j) ** a, normal(3))
same("numpy.multiply", lambda F, a: 2 * a * 3j - 1j + a / (1 + 2j), normal(3))
same("numpy.divide", lambda F, a: 1 / a - (2 - a), away_from_zero(3))
same("numpy.add", lambda F, a, b: a + b + 1 - (-a) * (+b), normal(2, 3), normal(3), kinds=MIXED)

# both bounds of clip, as numbers and as arrays
alike("numpy.clip", normal(3, 4), options=(-0.5, 0.7), kinds=REAL)
alike("numpy.clip", normal(3, 4), options=(None, 0.2), kinds=REAL)
alike("numpy.clip", normal(3, 4), normal(4), normal(3, 1), kinds=REAL)

# compositions
same("numpy.log", lambda F, a: F.log(F.sum(F.exp(a - F.amax(a)))) + F.amax(a), normal(3, 4), kinds=REAL)
pair("numpy.logaddexp", lambda a: np.logaddexp.reduce(a), lambda a: torch.logsumexp(a, 0), normal(5), kinds=REAL)
same("numpy.exp", lambda F, a: F.exp(-F.square(F.abs(a))) * F.sin(a) / (1 + F.abs(a)), normal(3, 4))
same("numpy.tanh", lambda F, a: F.tanh(a * 40), normal(4), kinds=REAL)

# kinks and other special points
ZEROS = fixed([-1.0, 0.0, 2.0, -0.0])
HALF = (
    "at a tie ours is the mean of the derivatives on both sides, which is also theirs for maximum and minimum; "
    "here theirs takes one side"
)
NOT_A_NUMBER = "in second order theirs is NaN, where the derivative exists"
for _name in ("absolute", "sign", "square", "sin", "i0", "positive"):
    alike(f"numpy.{_name}", ZEROS, kinds=REAL)
for _exponent in (0, 1, 2):
    _power(_exponent, ZEROS)
alike("numpy.sinc", ZEROS, kinds=REAL, differs=NOT_A_NUMBER)
alike("numpy.absolute", ZEROS, kinds=COMPLEX)
alike("numpy.sign", ZEROS, theirs="sgn", kinds=COMPLEX, differs="in second order theirs is NaN at 0; both begin with 0")
alike("numpy.angle", fixed([-1.0, 2.0, 1.5]), kinds=REAL)
alike("numpy.nan_to_num", fixed([1.0, NAN, -2.0]), kinds=REAL)
alike("numpy.pow", fixed([2.0, 0.5, 3.0]), fixed([-1.0, 1.0, 2.0]))
alike(
    "numpy.pow",
    fixed([0.0, 0.0]),
    fixed([2.0, 3.0]),
    kinds=REAL,
    differs="in second order theirs is NaN, from log 0; ours takes the limit",
)
alike(
    "numpy.pow",
    fixed([2.0, 0.5]),
    fixed([0.0, 0.0]),
    differs="theirs has 0 for the derivative in the base where the exponent is 0, and loses d/db of b a**(b - 1)",
)
TIED = fixed([1.0, 2.0, 3.0]), fixed([1.0, 3.0, 2.0])
alike("numpy.maximum", *TIED, kinds=REAL)
alike("numpy.minimum", *TIED, kinds=REAL)
alike("numpy.fmax", *TIED, kinds=REAL, differs=HALF)
alike("numpy.fmin", *TIED, kinds=REAL, differs=HALF)
alike("numpy.clip", fixed([-1.0, 0.0, 2.0, 3.0]), options=(-1.0, 2.0), kinds=REAL, differs=HALF)
alike("numpy.fmax", fixed([NAN, 1.0, 2.0]), fixed([3.0, NAN, 1.0]), kinds=REAL)
alike("numpy.fmin", fixed([NAN, 1.0, 2.0]), fixed([3.0, NAN, 1.0]), kinds=REAL)
alike("numpy.hypot", fixed([0.0, 3.0]), fixed([1.0, 0.0]), kinds=REAL)
alike(
    "numpy.hypot",
    fixed([0.0]),
    fixed([0.0]),
    kinds=REAL,
    differs="theirs is NaN; ours is 0, the smallest subgradient, which both take for abs of a complex number",
)
alike("numpy.arctan2", fixed([0.0, 1.0]), fixed([-1.0, 0.0]), kinds=REAL)
alike("numpy.logaddexp", fixed([1000.0, -800.0]), fixed([999.0, 800.0]), kinds=REAL, differs=NOT_A_NUMBER)
same("numpy.where", lambda F, a: F.where(a > 0, F.sqrt(F.where(a > 0, a, F.ones_like(a))), 0 * a), ZEROS, kinds=REAL)
