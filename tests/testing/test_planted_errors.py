"""`check_rule` finds each kind of error that is planted into a rule, and takes the rules that are right."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from package_layout import ROOT
from wirtinger import custom_primitive, stop_gradient
from wirtinger.testing import check_rule

Z = np.array([0.6 + 0.7j, -1.1 + 0.4j])
X = np.array([0.6, -1.1, 1.7])
A = np.random.default_rng(1).standard_normal((3, 3)) + 2 * np.eye(3)
B = np.random.default_rng(2).standard_normal((3, 2))
ORDER = np.array([1, 2, 0])


def H(a):
    return np.conj(np.swapaxes(a, -1, -2))


def operation(function, differential, adjoint=None):
    made = custom_primitive(function)
    made.differential(differential)
    if adjoint is not None:
        made.adjoint(adjoint)
    return made


def square(z):
    return z * z


def square_differential(x, z, dz):
    return 2 * z * dz


def product(a, b):
    return a * b


def product_differential(x, a, b, da, db):
    return da * b + a * db


def solve(a, b):
    return np.linalg.solve(a, b)


def solve_differential(x, a, b, da, db):
    return np.linalg.solve(a, db - da @ x)


def matmul(a, b):
    return a @ b


RIGHT = {
    "square": (operation(square, square_differential), (Z,), {"elementwise": True, "stacks": True}),
    "square, adjoint": (
        operation(square, square_differential, lambda g, x, z: (2 * np.conj(z) * g,)), (Z,), {"elementwise": True},
    ),
    "product": (operation(product, product_differential), (Z, 2j * Z), {"elementwise": True}),
    "solve": (operation(solve, solve_differential), (A, B), {"stacks": True}),
    "modulus": (operation(np.abs, lambda x, z, dz: np.real(np.conj(z) * dz) / x), (Z,), {"zero": False}),
}  # fmt: skip


@pytest.mark.parametrize(("made", "args", "options"), RIGHT.values(), ids=RIGHT)
def test_right_rules_pass(made, args, options):
    report = check_rule(made, *args, raise_exception=False, **{k: v for k, v in options.items() if k != "zero"})
    wrong = [check.name for check in report.checks if not check.passed]
    assert wrong == ([] if options.get("zero", True) else ["numbers at 0"]), report


class Remembering:
    """A rule that reads what the last call left."""

    def __init__(self):
        self.last = None

    def __call__(self, z):
        self.last = z.copy()
        return z * z


remembering = Remembering()
buffer = np.empty(3)


def into_buffer(z):
    buffer[...] = z**2
    return buffer


def written(z):
    z = np.asarray(z)
    z *= z  # a copy is what it is given once it is refused
    return z


def doubled_in_place(g, x, z):
    g *= 2 * np.conj(z)
    return (g,)


calls = count()


def every_seventh(x, z, dz):
    return (2.0 if next(calls) % 7 else 2.001) * z * dz


def moved_by_one(g, x, a):
    none = np.zeros_like(g[:1])
    return (np.concatenate([none, g]) + np.concatenate([none, -g]),)


WRONG = {
    "sign": (operation(square, lambda x, z, dz: -2 * z * dz), (Z,), {}),
    "factor": (operation(square, lambda x, z, dz: z * dz), (Z,), {}),
    "conjugate in the adjoint": (operation(square, square_differential, lambda g, x, z: (2 * z * g,)), (Z,), {}),
    "conjugate in the differential": (operation(square, lambda x, z, dz: 2 * z * np.conj(dz)), (Z,), {}),
    "an argument forgotten": (
        operation(product, product_differential, lambda g, x, a, b: (np.conj(b) * g, None)), (Z, 2j * Z), {},
    ),
    "a term forgotten": (operation(product, lambda x, a, b, da, db: da * b), (Z, 2j * Z), {}),
    "arguments exchanged": (
        operation(matmul, lambda x, a, b, da, db: da @ b + a @ db, lambda g, x, a, b: (H(a) @ g, g @ H(b))),
        (A, A.T @ A), {},
    ),
    "not transposed": (
        operation(solve, solve_differential, lambda g, x, a, b: (-np.linalg.solve(a, g) @ H(x), np.linalg.solve(a, g))),
        (A, B), {},
    ),
    "second order": (operation(square, lambda x, z, dz: 2 * stop_gradient(z) * dz), (X,), {}),
    "second order in the value": (operation(np.exp, lambda x, z, dz: stop_gradient(x) * dz), (X,), {}),
    "broadcast sum": (
        operation(lambda a, b: a + b, lambda x, a, b, da, db: da + db, lambda g, x, a, b: (g, g.mean(0) + 0 * b)),
        (X, X), {"elementwise": True},
    ),
    "writes into the cotangent": (operation(square, square_differential, doubled_in_place), (X,), {}),
    "writes into its argument": (operation(written, square_differential), (X,), {}),
    "state of the last call": (
        operation(remembering, lambda x, z, dz: 2 * remembering.last * dz), (X,), {},
    ),
    "double for single precision": (
        operation(lambda z: np.asarray(z, float) ** 2, square_differential), (X,), {},
    ),
    "not linear": (operation(square, lambda x, z, dz: 2 * z * dz * np.abs(dz)), (X,), {}),
    "adds a constant": (operation(square, lambda x, z, dz: 2 * z * dz + 1.0), (X,), {}),
    "one matrix for a stack": (
        operation(lambda a: a @ H(a), lambda x, a, da: da @ a.T + a @ da.T), (A,), {"stacks": True},
    ),
    "real arguments only": (operation(np.abs, lambda x, z, dz: np.sign(np.real(z)) * np.real(dz)), (Z,), {}),
    "complex arguments only": (
        operation(lambda z: np.abs(z) ** 2, lambda x, z, dz: np.real(np.conj(z) * dz) * (1 + (z.dtype.kind == "c"))),
        (Z,), {},
    ),
    "not a number at 0": (
        operation(square, lambda x, z, dz: 2 * x / z * dz), (X,), {},
    ),
    "the argument for the value": (operation(np.tanh, lambda x, z, dz: (1 - z * z) * dz), (X,), {}),
    "the wrong axis": (
        operation(lambda a: np.sum(a, 0), lambda x, a, da: np.sum(da, 1)), (A,), {},
    ),
    "nine digits of a constant": (operation(np.exp2, lambda x, z, dz: 0.693147181 * x * dz), (X,), {}),
    "rounded to single precision": (
        operation(square, lambda x, z, dz: 2 * np.real(z).astype("f").astype(x.dtype) * dz), (X,), {},
    ),
    "digits cancel": (operation(np.expm1, lambda x, z, dz: (x + 1e8 - 1e8 + 1) * dz), (X,), {}),
    "differences for a derivative": (
        operation(np.sin, lambda x, z, dz: (np.sin(z + 1e-6) - np.sin(z - 1e-6)) / 2e-6 * dz), (X,), {},
    ),
    "infinite beyond some size": (
        operation(lambda z: np.logaddexp(0, z), lambda x, z, dz: np.exp(z) / (1 + np.exp(z)) * dz),
        (np.array([1.0, 800.0]),), {},
    ),
    "results exchanged": (
        operation(lambda a, b: (a * b, a + b), lambda xs, a, b, da, db: (da * b + a * db, da + db),
                  lambda g, xs, a, b: (g[1] * np.conj(b) + g[0], g[1] * np.conj(a) + g[0])),
        (Z, 2j * Z), {},
    ),
    "one element further": (
        operation(lambda a: a[1:] - a[:-1], lambda x, a, da: da[1:] - da[:-1], moved_by_one), (X,), {},
    ),
    "an order not undone": (
        operation(lambda a: a[ORDER], lambda x, a, da: da[ORDER], lambda g, x, a: (g[ORDER],)), (X,), {},
    ),
    "one triangle": (
        operation(lambda a: a @ a, lambda x, a, da: da @ a + a @ da, lambda g, x, a: (np.tril(g @ H(a) + H(a) @ g),)),
        (A + A.T,), {},
    ),
    "a mean for a sum": (
        operation(np.mean, lambda x, a, da: np.mean(da), lambda g, x, a: (g + 0 * a,)), (A,), {},
    ),
    "imaginary part dropped": (
        operation(square, square_differential, lambda g, x, z: (np.real(2 * np.conj(z) * g).astype(z.dtype),)),
        (Z,), {},
    ),
    "holomorphic taken for granted": (operation(np.abs, lambda x, z, dz: np.real(z / x * dz)), (Z,), {}),
    "a parameter forgotten": (
        operation(lambda z, *, power: z**power, lambda x, z, dz, *, power: 2 * z * dz), (X,), {"power": 3},
    ),
    "cotangents held in bounds": (
        operation(square, square_differential, lambda g, x, z: (2 * np.conj(z) * g / np.maximum(1, np.abs(g)),)),
        (np.array([30.0, 40.0]),), {},
    ),
    "small cotangents left out": (
        operation(square, square_differential, lambda g, x, z: (2 * np.conj(z) * np.where(np.abs(g) < 1e-5, 0, g),)),
        (X,), {},
    ),
    "the order in memory": (
        operation(square, square_differential,
                  lambda g, x, z: (2 * np.conj(z) * np.reshape(np.ravel(g, "K"), np.shape(g)),)),
        (A,), {},
    ),
    "other numbers at each seventh call": (operation(square, every_seventh), (X,), {}),
}  # fmt: skip


def test_there_are_twenty_kinds():
    """As many as the page says."""
    assert len(WRONG) >= 20
    assert f"plants {len(WRONG)} kinds" in " ".join((ROOT / "docs" / "testing.md").read_text().split())


@pytest.mark.filterwarnings("ignore:(invalid value|overflow):RuntimeWarning")
@pytest.mark.parametrize(("made", "args", "options"), WRONG.values(), ids=WRONG)
def test_planted_errors_are_found(made, args, options):
    report = check_rule(made, *args, raise_exception=False, **options)
    assert not report, report
    with pytest.raises(AssertionError, match="FAILED"):
        check_rule(made, *args, **options)


SCALES = [1e-150, 1e-12, 1e-7, 1e3, 1e12, 1e150]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["square", "product", "solve"])
def test_right_rules_pass_at_every_scale(name, scale):
    made, args, options = RIGHT[name]
    assert check_rule(made, *[scale * a for a in args], **options)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["sign", "a term forgotten", "conjugate in the adjoint", "second order", "not linear"])
def test_planted_errors_are_found_at_every_scale(name, scale):
    made, args, options = WRONG[name]
    assert not check_rule(made, *[scale * a for a in args], raise_exception=False, **options)
