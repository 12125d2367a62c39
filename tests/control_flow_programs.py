"""Programs with loops and branches, written once for Python's own and for those of the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy

import wirtinger as np
from wirtinger import (
    compile,
    cond,
    fori_loop,
    jvp,
    scan,
    switch,
    while_loop,
)
from wirtinger.complex_autograd.transforms.arguments import flatten

X = numpy.linspace(0.1, 1.3, 5)
Z = X + 1j * numpy.linspace(-0.4, 0.7, 5)
M = numpy.random.default_rng(0).standard_normal((5, 5)) / 4


def assert_equal(found: Any, expected: Any) -> None:
    pairs = list(zip(flatten(found)[0], flatten(expected)[0], strict=True))
    assert pairs
    for x, y in pairs:
        numpy.testing.assert_array_equal(x, y, strict=True)


def assert_close(found: Any, expected: Any, program: Callable[..., Any] | None = None) -> None:
    """That sums in another order are the same: to 1e-13, or to float32's 1e-5."""
    pairs = list(zip(flatten(found)[0], flatten(expected)[0], strict=True))
    assert pairs
    tolerance = 1e-5 if program is of_single_precision else 1e-13
    for x, y in pairs:
        assert x.dtype == y.dtype
        numpy.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


def plain_scan(f, init, xs=None, length=None, reverse=False, **options):
    """What `scan` says that it does."""
    leaves, _ = flatten(xs)
    n = len(leaves[0]) if leaves else length
    carry, ys = init, []
    for i in range(n)[::-1] if reverse else range(n):
        carry, y = f(carry, _slice(xs, i))
        ys.append(y)
    if reverse:
        ys.reverse()
    return carry, _stacked(ys)


def _slice(xs, i):
    if xs is None:
        return None
    if isinstance(xs, dict):
        return {key: _slice(x, i) for key, x in xs.items()}
    return tuple(_slice(x, i) for x in xs) if isinstance(xs, tuple) else xs[i]


def _stacked(ys):
    if ys[0] is None:
        return None
    if isinstance(ys[0], dict):
        return {key: _stacked([y[key] for y in ys]) for key in ys[0]}
    return tuple(map(_stacked, zip(*ys, strict=True))) if isinstance(ys[0], tuple) else np.stack(ys)


def plain_fori(lower, upper, body, init, **options):
    for i in range(lower, upper):
        init = body(i, init)
    return init


def plain_while(condition, body, init, bound=None):
    while condition(init):
        init = body(init)
    return init


def plain_cond(pred, true_fun, false_fun, *operands):
    return true_fun(*operands) if pred else false_fun(*operands)


def plain_switch(index, branches, *operands):
    return branches[index](*operands)


class Plain:
    scan, fori_loop, while_loop = staticmethod(plain_scan), staticmethod(plain_fori), staticmethod(plain_while)
    cond, switch = staticmethod(plain_cond), staticmethod(plain_switch)


class Ours:
    scan, fori_loop, while_loop = staticmethod(scan), staticmethod(fori_loop), staticmethod(while_loop)
    cond, switch = staticmethod(cond), staticmethod(switch)


class Checkpointed(Ours):
    @staticmethod
    def scan(*args, **options):
        return scan(*args, **options, checkpoint=True)

    @staticmethod
    def fori_loop(*args):
        return fori_loop(*args, checkpoint=True)


class State(NamedTuple):
    position: Any
    velocity: Any


@dataclass
class Model:
    weights: Any
    bias: Any


A = numpy.array([1.0, 2.0, 3.0])


def along_ones(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: jvp(f, (x,), (numpy.ones_like(x),))


# programs: each a real loss of one array, written with the functions of `c`


def sums(c, x):
    total, ys = c.scan(lambda s, v: (s + np.sin(v) * s, s * v), 1.0, x)
    return total + np.sum(ys)


def closures(c, x):
    w = np.exp(x)

    def step(u, v):
        return np.tanh(w * u + v * x), np.sum(u)

    u, ys = c.scan(step, np.ones_like(x), numpy.linspace(0, 1, 7))
    return np.sum(u * w) + np.sum(ys**2)


def closed_over_object(c, x):
    model = {"m": Model(x * 2, [x[0], x[1] ** 2])}

    def step(u, _):
        return np.tanh(model["m"].weights * u + model["m"].bias[1]), None

    return np.sum(c.scan(step, x, length=6)[0])


def backwards(c, x):
    carry, ys = c.scan(lambda s, v: (s * 0.5 + v**2, np.cos(s) + v), np.float64(0.3), x, reverse=True)
    return carry + np.sum(ys * X)


def trees(c, x):
    def step(carry, xs):
        state, k = carry
        a = state.position * xs["k"][0] + xs["b"]
        return (State(state.velocity, a), k + 1), {"a": a, "p": (state.position, np.sin(a))}

    init = (State(x[0], x[1]), np.int64(0))
    (state, k), ys = c.scan(step, init, {"k": (x, X), "b": x * x})
    return state.position * state.velocity * k + np.sum(ys["a"]) + np.sum(ys["p"][0] * ys["p"][1])


def writes(c, x):
    def step(u, v):
        u[1:] *= v
        u[0] = u[0] + np.sum(u) * 0.1
        v = v * v
        return u, v

    u, ys = c.scan(step, x * 1.0, x)
    return np.sum(u**2) + np.sum(ys)


def writes_into_zeros(c, x):
    def step(u, v):
        u[0] = v
        u[1] += u[0] * x[2]
        return u, None

    return np.sum(c.scan(step, np.zeros(2), x)[0] ** 2)


def length_only(c, x):
    return np.sum(c.scan(lambda u, _: (np.sin(u) * x, None), x, length=9)[0])


def nested(c, x):
    def outer(u, v):
        w, ys = c.scan(lambda s, t: (s * v + np.sin(t * x[0]), s), u, x)
        return w, np.sum(ys)

    w, ys = c.scan(outer, x[1], x)
    return w * w + np.sum(ys)


def branch_in_a_loop(c, x):
    def step(u, v):
        return c.cond(u > 0.8, lambda a: a * 0.5 * x[0], lambda a: a + np.sqrt(v) * x[1], u), u

    u, ys = c.scan(step, 0.2, x)
    return u + np.sum(ys**2)


def matrices(c, x):
    a = np.outer(x, x) / 4 + M

    def step(p, _):
        k = np.linalg.solve(p + np.eye(5) * 3, a)
        return a @ p @ a.T + np.eye(5) - k * 0.1, np.linalg.det(p)

    p, ys = c.scan(step, np.eye(5), length=6)
    return np.sum(p * p) + np.sum(np.log(np.abs(ys) + 1))


def indices(c, x):
    return c.fori_loop(2, 9, lambda i, s: s * x[0] + i * x[i % 5 if isinstance(i, int) else 0], x[1])


def powers(c, x):
    return np.sum(c.fori_loop(1, 12, lambda i, s: s + x**2 / i, x))


def root(c, x):
    def body(u):
        return (u + x / u) / 2

    return np.sum(c.while_loop(lambda u: np.max(np.abs(u * u - x)) > 1e-9, body, np.ones_like(x), bound=40))


def oscillator(c, x):
    """RK4 of u'' = -k u - d u'."""
    k, d, h = x[0], x[1], 0.05

    def rate(u):
        return np.stack([u[1], -k * u[0] - d * u[1] + 0.1 * np.sin(u[0])])

    def step(u, _):
        k1 = rate(u)
        k2 = rate(u + h / 2 * k1)
        k3 = rate(u + h / 2 * k2)
        k4 = rate(u + h * k3)
        return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), u[0]

    u, path = c.scan(step, np.stack([x[2], x[3]]), length=200)
    return np.sum(u**2) + np.sum(path**2) / 200


MEASURED = numpy.sin(numpy.arange(1000) * 0.1)


def kalman(c, x):
    """The negative logarithm of the likelihood of a position measured 1000 times."""
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    q = np.diag(np.stack([x[0] * 0.01, x[1] * 0.02]))

    def step(carry, z):
        m, p, total = carry
        m, p = f @ m, f @ p @ f.T + q
        s = p[0, 0] + x[2]
        r = z - m[0]
        gain = p[:, 0] / s
        total = total + np.log(s) + r * r / s
        return (m + gain * r, p - np.outer(gain, p[0]), total), None

    (m, _, total), _ = c.scan(step, (np.zeros(2), np.eye(2), 0.0), MEASURED)
    return total / 1000 + np.sum(m)


def unused_parts(c, x):
    carry, _ = c.scan(lambda s, v: ((s[0] * v, s[1] + np.exp(v)), s[0]), (1.0, 0.0), x)
    return carry[0]


def only_results(c, x):
    return np.sum(c.scan(lambda s, v: (s + 1, np.sin(v * s)), np.float64(0), x)[1])


def chosen(c, x):
    return c.switch(1, [lambda a, b: np.sum(a), lambda a, b: np.sum(a * b), lambda a, b: np.max(b)], x, x**2)


def asked(c, x):
    y = c.cond(np.sum(x) > 2, lambda a: a[0] * x, lambda a: np.exp(a) * x[1], x)
    return np.sum(y * c.cond(np.sum(x) < 0, lambda: x, lambda: x + 1))


def complex_carry(c, x):
    z = x * np.exp(1j * x)

    def step(u, v):
        return u * z * 0.9 + np.conj(u) * v, np.abs(u[0])

    u, ys = c.scan(step, z, x)
    return np.sum(np.abs(u) ** 2) + np.sum(ys)


def of_single_precision(c, x):
    x = x.astype(numpy.float32)
    u = c.fori_loop(0, 6, lambda i, u: np.sin(u) * x + i, x)
    return np.sum(u).astype(numpy.float64)


PROGRAMS = [
    sums, closures, closed_over_object, backwards, trees, writes, writes_into_zeros, length_only, nested,
    branch_in_a_loop, matrices, indices, powers, root, oscillator, kalman, unused_parts, only_results, chosen, asked,
    complex_carry, of_single_precision,
]  # fmt: skip


def runs(derivative: Callable[..., Any], f: Callable[[Any], Callable[..., Any]], *points: Any, hits: int) -> None:
    """A derivative, compiled with our loops, has Python's answers everywhere, and so many of them from programs."""
    compiled = compile(derivative(f(Ours)))
    for x in points:
        with numpy.errstate(all="ignore"):
            assert_close(compiled(x), derivative(f(Plain))(x))
    assert compiled.cache_info().hits == hits
