"""Random programs: compiled, they and their derivatives have the bits of the functions themselves, at any numbers."""

from __future__ import annotations

import operator
import random
import warnings
from functools import partial

import numpy
import pytest

import wirtinger as np
from wirtinger import compile, grad, jvp, special, value_and_grad
from wirtinger.complex_autograd.transforms.arguments import flatten

SEEDS = [*range(40), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(40, 600))]
HARD = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e30]
MOST = 1000
"""Elements of an array."""
_FEWEST = 0, 2
"""The same of real and of complex ones: the rounding of a complex number depends on where in memory NumPy finds it."""


def written(index, x, y):
    a = np.array(x)
    a[index] = y
    return a


def added_at(index, x, y):
    a = np.array(x)
    a[index] += y
    return a * x


def through_a_view(x):
    a = np.array(x)
    shown = a[1:]
    shown *= 2
    return a


def read(index, x):
    return x[index]


UNARY = [
    *(np.sin, np.exp, np.tanh, np.sqrt, np.log, np.abs, np.negative, np.square, np.reciprocal, np.conj, np.sign),
    *(np.floor, np.expm1, np.arctan, np.isfinite, np.real, np.imag, np.angle, np.cbrt, operator.neg, abs, tuple),
    *(special.erf, special.expit, special.i0e, special.logsumexp, special.softmax, special.gammaln),
    *(np.ravel, np.transpose, np.squeeze, np.copy, np.diff, np.flip, np.atleast_2d, np.fft.fft, np.tril),
    *(np.linalg.norm, np.trace, through_a_view, lambda x: x**2, lambda x: 2.0**x),
    *(lambda x: np.ravel(x)[0] * 2, lambda x: x.astype(numpy.float32), lambda x: np.broadcast_to(x, (2, *x.shape))),
    *(lambda x: np.linalg.inv(x @ x.T + np.eye(len(x))), lambda x: np.linalg.eigvalsh(x + np.conj(x).T)),
]
BINARY = [
    *(np.add, np.subtract, np.multiply, np.divide, np.maximum, np.fmin, np.arctan2, np.hypot, np.power, np.less),
    *(np.logaddexp, np.copysign, np.remainder, np.equal, operator.mul, operator.truediv, operator.matmul, np.outer),
    *(operator.pow, operator.ge, np.dot, np.inner, special.xlogy, lambda x, y: np.clip(x, -0.5, np.real(y))),
    *(lambda x, y: np.where(np.real(x) > 0.3, x, y), lambda x, y: np.stack([x, y]), lambda x, y: np.hstack((y, x))),
]
ON_AXES = [np.sum, np.prod, np.max, np.mean, np.any, np.var, np.cumsum, np.argmax, np.ptp, np.sort, np.argsort]
PARTS = [slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 2), -1, [0, -1, 0], None, ...]


def chosen(draw, x):
    """A function of one array, or of two, and how many: the first like `x`."""
    kind = draw.randrange(7)
    if kind < 2:
        return draw.choice(UNARY), 1
    if kind < 4:
        return draw.choice(BINARY), 2
    if kind == 4:
        return partial(draw.choice(ON_AXES), axis=draw.randrange(-1, max(x.ndim, 1))), 1
    index = tuple(draw.choice(PARTS) for _ in x.shape)
    if kind == 5 or x.dtype.kind not in "fc" or not x.shape:
        return partial(read, index), 1
    return partial(draw.choice([written, added_at]), index), 2


def random_program(seed, args):
    """Eight functions, each of what was given or of what the others returned; those that raise errors are left out."""
    draw, values, steps = random.Random(seed), list(args), []
    for _ in range(12):
        recent = range(max(len(values) - 4, 0), len(values))
        places = [draw.choice(recent), draw.choice(recent)]
        function, count = chosen(draw, values[places[0]])
        places = places[:count]
        try:
            made = function(*[values[i] for i in places])
        except (ValueError, TypeError, IndexError):
            continue
        found = made if type(made) is tuple else (made,)
        if all(_FEWEST[x.dtype.kind == "c"] <= x.size < MOST for x in found):
            values += found
            steps.append((function, places))

    def program(*args):
        values = list(args)
        for function, places in steps:
            made = function(*[values[i] for i in places])
            values += made if isinstance(made, tuple) else (made,)
        return tuple(values[len(args) :])

    return program


def loss_of(program):
    def loss(*args):
        total = 0.0
        for x in program(*args):
            if x.dtype.kind == "f":
                total = total + np.sum(np.where(np.isfinite(x), x, 0.25) * 0.1)
            elif x.dtype.kind == "c":
                total = total + np.sum(np.abs(x + (3 + 1j)) * 0.1)
        return total

    return loss


TRANSFORMS = {
    "value": lambda program: program,
    "gradient": lambda program: lambda *args: value_and_grad(loss_of(program), (0, 1))(*args),
    "jvp": lambda program: lambda *args: jvp(program, args, tuple(map(np.ones_like, args))),
    "curvature": lambda program: lambda x, y: grad(lambda x: np.sum(np.abs(grad(loss_of(program))(x, y)) ** 2))(x),
}


def arguments(seed, chars, is_hard=False):
    random = numpy.random.default_rng(seed)
    dtypes = [numpy.dtype(x) for x in random.choice([*chars], 2)]
    shapes = [tuple(random.integers(1, 5, random.integers(0, 4))) + (2,) * (x.kind == "c") for x in dtypes]
    found = []
    for shape, dtype in zip(shapes, dtypes, strict=True):
        x = 2 * random.standard_normal(shape) + (1j * random.standard_normal(shape) if dtype.kind == "c" else 0)
        if is_hard and dtype.kind != "i" and shape:
            x.flat[random.integers(x.size)] = random.choice(HARD)
        found.append(x.astype(dtype, order="CF"[len(found)])[()])
    return found


def outcome(f, args):
    """The classes, dtypes, shapes and numbers that a function returns, or the class of its error."""
    try:
        leaves = flatten(f(*args))[0]
    except (ValueError, TypeError, IndexError) as error:
        return type(error), []
    return [(type(x), numpy.asarray(x).dtype, numpy.shape(x)) for x in leaves], leaves


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_programs(seed, name):
    chars = "ddDfFl" if name == "value" else "ddDf"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f = TRANSFORMS[name](random_program(seed, arguments(seed, chars)))
        compiled = compile(f)
        for is_hard in (False, True):
            args = arguments(seed, chars, is_hard)
            (kinds, found), (expected_kinds, expected) = outcome(compiled, args), outcome(f, args)
            assert kinds == expected_kinds
            for x, y in zip(found, expected, strict=True):
                numpy.testing.assert_array_equal(x, y)
        is_chosen = name == "curvature"  # of equal eigenvalues: what second derivatives are made of depends on numbers
        assert compiled.cache_info().programs or is_chosen or not expected
