"""Traced values of subclasses of ndarray: methods, attributes, `super()`, what NumPy's functions return, writes."""

from __future__ import annotations

import numpy as np
import pytest

import samples
import wirtinger
from wirtinger import AliasError, TraceError, checkpoint, grad, gradcheck, hessian, jacobian, jvp, vjp, vmap

X = np.array([0.3, 1.2, 2.0])


class Named(np.ndarray):
    """Elements have names."""

    def __new__(cls, a, names=()):
        made = wirtinger.asarray(a).view(cls)
        made.names = names
        return made

    def __array_finalize__(self, source):
        if source is not None:
            self.names = getattr(source, "names", ())

    def __getitem__(self, key):
        return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)

    @property
    def energy(self):
        return np.sum(self * self)

    def scaled(self, factor):
        return type(self)(wirtinger.asarray(self) * factor, self.names)


class Masked(Named):
    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        options.pop("out", None)
        made = super().__array_ufunc__(ufunc, method, *inputs, **options)
        return made if ufunc is not np.exp else made * 2


def named(x, kind=Named):
    return kind(x * x, ["a", "b", "c"])


def test_methods_and_attributes():
    def with_names(x):
        n = named(x)
        return n["b"] * np.sin(n["c"]) + n.energy + n.scaled(2.0)["a"] + n[1:].names.index("c")

    def without(x):
        n = x * x
        return n[1] * np.sin(n[2]) + np.sum(n * n) + 2 * n[0] + 2

    assert with_names(X) == without(X)
    np.testing.assert_allclose(grad(with_names)(X), grad(without)(X), rtol=1e-14)
    np.testing.assert_allclose(hessian(with_names)(X), hessian(without)(X), rtol=1e-14)
    np.testing.assert_allclose(jvp(with_names, (X,), (X,))[1], jvp(without, (X,), (X,))[1], rtol=1e-14)
    stack = np.stack([X, 2 * X])
    np.testing.assert_allclose(vmap(grad(with_names))(stack), vmap(grad(without))(stack), rtol=1e-14)


def test_super_in_the_protocol_of_ufuncs():
    assert grad(lambda x: np.sum(np.exp(named(x, Masked))))(X) == pytest.approx(4 * X * np.exp(X * X))


CALLS = {
    "add": lambda v, a: v + 1,
    "reflected": lambda v, a: 2.0 * v,
    "matmul": lambda v, a: a @ v,
    "sin": lambda v, a: np.sin(v),
    "sum": lambda v, a: a.sum(0),
    "maximum": lambda v, a: a.max(),
    "norm": lambda v, a: np.linalg.norm(a),
    "slice": lambda v, a: v[1:],
    "element": lambda v, a: v[1],
    "transpose": lambda v, a: a.T,
    "reshape": lambda v, a: np.reshape(a, -1),
    "copy": lambda v, a: v.copy(),
    "astype": lambda v, a: v.astype(complex),
    "real": lambda v, a: v.real,
    "concatenate": lambda v, a: np.concatenate([v, v]),
    "where": lambda v, a: np.where(np.asarray([True, False]), v, 0.0),
    "einsum": lambda v, a: np.einsum("i,j", v, v),
    "solve": lambda v, a: np.linalg.solve(a, v),
    "inv": lambda v, a: np.linalg.inv(a),
    "eigh": lambda v, a: np.linalg.eigh(a)[0],
    "fft": lambda v, a: np.fft.fft(v),
    "outer": lambda v, a: np.outer(v, v),
    "kron": lambda v, a: np.kron(v, v),
    "cumsum": lambda v, a: np.cumsum(v),
    "tril": lambda v, a: np.tril(a),
    "split": lambda v, a: np.split(v, 2)[0],
    "broadcast_to": lambda v, a: np.broadcast_to(v, (2, 2)),
    "asarray": lambda v, a: wirtinger.asarray(v),
    "asanyarray": lambda v, a: wirtinger.asanyarray(v),
    "view": lambda v, a: v.view(),
    "view of ndarray": lambda v, a: v.view(np.ndarray),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_of_the_classes_of_numpy(name):
    a, v = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    plain, kinds = CALLS[name](v.view(Named), a.view(Named)), []

    def call(v):
        made = CALLS[name](v.view(Named), (a * v[0]).view(Named))
        kinds.append(made.__class__)
        return made

    np.testing.assert_allclose(jvp(call, (v,), (v,))[0], np.asarray(plain), rtol=1e-14)
    assert kinds[0] is type(plain)


def test_results_of_functions():
    np.testing.assert_array_equal(jacobian(named)(X), np.diag(2 * X))
    value, tangent = jvp(lambda x: {"a": [named(x)]}, (X,), (X,))
    assert type(value["a"][0]) is type(tangent["a"][0]) is np.ndarray
    np.testing.assert_array_equal(vjp(named, X)[1](X)[0], 2 * X * X)
    np.testing.assert_array_equal(grad(lambda x: (np.sum(x), named(x)), has_aux=True)(X)[1], X * X)
    np.testing.assert_allclose(grad(lambda x: np.sum(checkpoint(lambda n: n**3)(named(x))))(X), 6 * X**5)
    assert type(wirtinger.stop_gradient(X.view(Named))) is not wirtinger.complex_autograd.engine.traced.Traced
    nested = lambda x: np.sum(grad(lambda y: np.sum(y**3) * np.sum(named(x)))(named(x)))
    assert gradcheck(nested, X)


def test_writes():
    def written(x):
        y = x * 1
        n = y.view(Named)
        n[0] = x[2] ** 2
        n += x
        n[1:] *= 2
        n.sort()
        n.real = n * 2
        return np.sum(y * np.arange(1.0, 4))

    assert gradcheck(written, X)

    def shown(x):
        y = x * 1
        n = y.view(Named)
        y[0] = 1.0
        return np.sum(n)

    with pytest.raises(AliasError, match="this view was taken before"):
        grad(shown)(X)


class WithWrap(np.ndarray):
    """A value with a derivative, which no ufunc keeps, as in scikit-fem."""

    def __array_finalize__(self, source):
        self.derivative = getattr(source, "derivative", None)

    def __array_wrap__(self, made, context=None, return_scalar=False):
        return wirtinger.array(made) * 2


def test_results_are_wrapped():
    def f(x):
        u = x.view(WithWrap)
        u.derivative = x * 3
        assert u[:2].derivative is u.derivative
        assert not hasattr(u + 1, "derivative")
        return wirtinger.sum(np.exp(u) * u.reshape(3)[::-1].derivative) + np.sum(u) + u.sum() + wirtinger.dot(u, u)

    def by_hand(x):
        return wirtinger.sum(np.exp(x) * 2 * x * 3) + 4 * wirtinger.sum(x) + wirtinger.dot(x, x)

    def written(x):
        u = (x * 1).view(WithWrap)
        assert np.add.at(u, [0, 0], x[:2]) is None
        return np.sum(u.view(np.ndarray) ** 2)

    expected = grad(lambda x: (2 * x[0] + x[1]) ** 2 + x[1] ** 2 + x[2] ** 2)(X)
    np.testing.assert_allclose(grad(written)(X), expected, rtol=1e-15)
    assert float(f(X)) == pytest.approx(float(by_hand(X)))
    np.testing.assert_allclose(grad(f)(X), grad(by_hand)(X), rtol=1e-14)
    with pytest.raises(TraceError, match=r"numpy.inv of a WithWrap .* Pass a plain array"):
        grad(lambda x: np.linalg.inv(np.outer(x, x).view(WithWrap))[0, 0])(X)


@pytest.mark.parametrize("kind", [np.matrix, np.ma.MaskedArray, np.recarray])
def test_classes_that_compute_otherwise_are_refused(kind):
    with pytest.raises(TraceError, match="cannot be viewed as"):
        grad(lambda x: np.sum(x.reshape(1, 3).view(kind)))(X)


def test_what_is_lost_raises():
    for convert in (np.asarray, list, float, lambda n: n.tolist()):
        with pytest.raises((TraceError, TypeError)):
            grad(lambda x, convert=convert: np.sum(convert(named(x)) * np.float64(1)) + np.asarray(named(x)).sum())(X)


class Plain(np.ndarray):
    """As NumPy's own."""


def of_subclass(x):
    return x.view(Plain) if np.ndim(x) else x


def same_gradients(sample):
    kind = "f" if "f" in sample.kinds else "c"
    args = sample.draw({"f": np.float64, "c": np.complex128}[kind])
    loss, everywhere = samples.loss_of(sample.call), tuple(range(len(args)))
    expected = wirtinger.value_and_grad(loss, everywhere)(*args)
    found = wirtinger.value_and_grad(lambda *args: loss(*map(of_subclass, args)), everywhere)(*args)
    for a, b in zip(wirtinger.tree_leaves(found), wirtinger.tree_leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sample", samples.SAMPLES[::25], ids=str)
def test_every_operation(sample):
    same_gradients(sample)


@pytest.mark.exhaustive
@pytest.mark.parametrize("sample", samples.SAMPLES, ids=str)
def test_every_operation_exhaustively(sample):
    same_gradients(sample)
