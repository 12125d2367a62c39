"""`vmap` with every transform, in both orders: each result is that of a loop over the items."""

from __future__ import annotations

import numpy
import pytest
from looped import check_loop

import wirtinger as np
from wirtinger import (
    checkpoint,
    compile,
    cond,
    custom_primitive,
    fori_loop,
    grad,
    hessian,
    holomorphic_grad,
    hvp,
    implicit,
    jacobian,
    jvp,
    linearize,
    optimize,
    scan,
    stop_gradient,
    switch,
    value_and_grad,
    vjp,
    vmap,
    while_loop,
    wirtinger_derivatives,
)

RNG = numpy.random.default_rng(3)
X = RNG.standard_normal((4, 3))
Z = X + 1j * RNG.standard_normal((4, 3))
S = RNG.standard_normal(4)
A = RNG.standard_normal((4, 3, 3))
W = RNG.standard_normal((2, 3))


def assembled(x):
    d = np.zeros(3)
    d[0] = x[0]
    d[1:] = x[1:] ** 2
    d += 1.0
    d[1] *= x[2]
    return np.sum(d * np.arange(3))


def assembled_by_views(x):
    d = np.zeros((3, 3), dtype=x.dtype)
    row = d[1]
    d[0] = x
    row[1] = x[0]
    d[2, :2] = 5
    np.fill_diagonal(d, x * 2)
    return d


def loss(w, x):
    return np.sum(np.tanh(w @ x) ** 2)


def smooth(x):
    return np.sum(np.sin(x) ** 3) + np.prod(x) + x[0] * np.exp(x[1])


def modulus(z):
    return np.sum(np.abs(z) ** 4) + np.real(z[0] * np.conj(z[1]))


OF_VECTORS = {
    "in-place assembly": assembled,
    "its gradient": grad(assembled),
    "views": assembled_by_views,
    "their Jacobian": jacobian(assembled_by_views),
    "gradient": grad(smooth),
    "value and gradient, with more": value_and_grad(lambda x: (smooth(x), {"y": x * 2, "n": 3}), has_aux=True),
    "Hessian": hessian(smooth),
    "Jacobian, forward": jacobian(lambda x: np.outer(x, np.sin(x)), mode="forward"),
    "Jacobian, reverse": jacobian(lambda x: np.outer(x, np.sin(x)), mode="reverse"),
    "jvp": lambda x: jvp(smooth, (x,), (np.cos(x),)),
    "vjp": lambda x: vjp(lambda y: np.sin(y) * y[0], x)[1](np.ones(3)),
    "vjp along items": lambda x: vjp(lambda y: np.sin(y) * y[0], x)[1](x),
    "linearize": lambda x: linearize(lambda y: np.sin(y) * y[0], x)[1](x),
    "hvp": lambda x: hvp(smooth, (x,), (x,)),
    "gradient of gradient": grad(lambda x: np.sum(grad(smooth)(x) ** 2)),
    "checkpoint": grad(checkpoint(lambda x: np.sum(np.exp(np.sin(x))))),
    "checkpoint inside": grad(lambda x: np.sum(checkpoint(np.sin)(x) * x)),
    "scan": lambda x: scan(lambda c, y: (c * y + 1, c * c), x[0], x),
    "scan from a constant": lambda x: scan(lambda c, y: (c + y, c), 0.0, x),
    "gradient of scan": grad(lambda x: scan(lambda c, y: (np.sin(c * y) + 1, c * c), x[0], x, checkpoint=True)[0]),
    "fori_loop": grad(lambda x: np.sum(fori_loop(0, 3, lambda i, c: np.sin(c) * x, x))),
    "cond": lambda x: cond(x[0] > 0, lambda y: y**2, np.sin, x),
    "gradient of cond": grad(lambda x: np.sum(cond(x[0] > 0, lambda y: y**2, np.sin, x))),
    "cond on a constant": lambda x: cond(True, lambda y: y**2, np.sin, x),
    "switch": lambda x: switch(np.argmax(x), [lambda y: y, lambda y: 2 * y, lambda y: y**2], x),
    "compile": compile(smooth),
    "gradient of compile": grad(compile(smooth)),
    "compile of gradient": compile(grad(smooth)),
    "closed over": lambda x: grad(lambda w: w**2 * np.sum(x))(3.0),
    "lists": lambda x: np.array([[x[0], 1.0], [x[1] * x[2], 2]]),
    "joined": lambda x: np.concatenate([x, np.ones(2), x[:1]]),
    "chosen": grad(lambda x: np.sum(np.where(x > 0, x**2, -x))),
    "by its own index": lambda x: (x[np.argmax(x)], np.arange(3.0)[np.argmax(x)] * x, x[np.argsort(x)]),
    "sorted": grad(lambda x: np.sum(np.sort(x) * np.arange(3))),
    "plain NumPy": grad(lambda x: numpy.sum(numpy.sin(x) * numpy.dot(x, x))),
    "random constants": lambda x: x + numpy.random.default_rng(0).standard_normal(3),
    "iterated": lambda x: sum(v * i for i, v in enumerate(x)) + len(x) * x.shape[0],
    "a length": hessian(lambda x: np.linalg.norm(x) ** 2),
    "Fourier": grad(lambda x: np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(3))),
    "trees": lambda x: {"a": x, "b": (x[0], 2.0), "c": [None, x.copy()]},
    "inner vmap": lambda x: vmap(lambda y: x @ y)(A[0]),
    "gradient of inner vmap": grad(lambda x: np.sum(vmap(lambda y: np.sin(x @ y))(A[0]) ** 2)),
    "Hessian of inner vmap": hessian(lambda x: np.sum(vmap(lambda y: np.sin(x @ y))(A[0]) ** 2)),
    "without derivative": grad(lambda x: np.sum(x * stop_gradient(x) + np.sin(stop_gradient(x[0])))),
    "without derivative outside": lambda x: vmap(lambda y: y * stop_gradient(x))(A[0]),
    "weights": grad(lambda x: np.quantile(x, 0.3, weights=np.abs(x) + 1, method="inverted_cdf")),
    "a class": lambda x: x * 2 if isinstance(x, numpy.ndarray) and not isinstance(x[0], numpy.ndarray) else x,
}
OF_COMPLEX_VECTORS = {
    "gradient": grad(modulus),
    "Hessian": hessian(modulus),
    "Jacobian": jacobian(lambda z: z * np.conj(z) + z[0]),
    "views": assembled_by_views,
    "holomorphic": holomorphic_grad(lambda z: np.sum(z**3)),
    "both partials": wirtinger_derivatives(lambda z: np.sum(z * np.conj(z) * z[0])),
    "jvp": lambda z: jvp(modulus, (z,), (z * 1j,)),
    "scan": grad(lambda z: np.abs(scan(lambda c, y: (c * y + 1, None), z[0], z)[0])),
}
OF_MATRICES = {
    "inner vmap": lambda a: vmap(lambda v: np.sum(v**2) * v)(a),
    "gradients of the inner": vmap(grad(lambda v: np.sum(v**3) * v[0])),
    "determinant": lambda a: np.linalg.det(a) + np.linalg.slogdet(a)[1],
    "Hessian of the determinant": hessian(np.linalg.det),
    "inverse": grad(lambda a: np.sum(np.linalg.inv(a) ** 2)),
    "eigenvalues": grad(lambda a: np.sum(np.linalg.eigh(a + a.T)[0] ** 3)),
    "eigenvectors": grad(lambda a: np.sum(np.abs(np.linalg.eigh(a + a.T)[1][0]) ** 2 * np.arange(3))),
    "singular values": grad(lambda a: np.sum(np.linalg.svd(a)[1] ** 3)),
    "exponential": grad(lambda a: np.sum(np.linalg.expm(a) ** 2)),
    "indices": lambda a: (a[0], a[:, 1], a[..., None], a[[0, 2]], a[[0, 1], [1, 2]], a[0, :, None], a[::-1, -1]),
    "shapes": lambda a: (a.T, a.ravel(), a.flatten("F"), a.reshape(9, order="F"), np.moveaxis(a, 0, 1), a.max(axis=1)),
}


@pytest.mark.parametrize("name", OF_VECTORS)
def test_of_vectors(name):
    check_loop(OF_VECTORS[name], X)


@pytest.mark.parametrize("name", OF_COMPLEX_VECTORS)
def test_of_complex_vectors(name):
    check_loop(OF_COMPLEX_VECTORS[name], Z)


@pytest.mark.parametrize("name", OF_MATRICES)
def test_of_matrices(name):
    check_loop(OF_MATRICES[name], A, tolerance=1e-8)


OF_WEIGHTS = {
    "gradient": grad(loss),
    "both gradients": grad(loss, argnums=(0, 1)),
    "Hessian": hessian(loss),
    "Jacobians": jacobian(loss, argnums=(0, 1)),
}


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("axes", [(None, 0), (0, None), (0, 0)])
def test_shared_weights(name, axes):
    w = W if axes[0] is None else numpy.stack([W + k for k in range(4)])
    check_loop(OF_WEIGHTS[name], w, X if axes[1] == 0 else X[0], in_axes=axes)


def test_loops_until_no_item_goes_on():
    def f(s):
        return while_loop(lambda c: c < 10, lambda c: c * 1.5 + 1, np.abs(s))

    check_loop(f, S)
    check_loop(grad(f), S)


def test_a_branch_that_another_item_takes_is_no_reason_to_warn():
    f = grad(lambda s: cond(s > 0, np.sqrt, lambda s: 0.0 * s, s))
    check_loop(f, numpy.array([1.0, -1.0, 4.0]))


def test_all_branches_of_one_form():
    with pytest.raises(np.TraceError, match="one structure"):
        vmap(lambda x: cond(x[0] > 0, lambda y: y, lambda y: y[0], x))(X)


def test_no_branch_of_that_number():
    with pytest.raises(IndexError, match="branch 3 does not exist"):
        vmap(lambda s: switch(s, [np.sin, np.cos], 1.0))(numpy.array([0, 3]))


SUMMED = {
    "smooth": smooth,
    "without derivative": lambda x: np.sum(x**2 * stop_gradient(x)) * stop_gradient(x[0]),
    "views": lambda x: np.sum(assembled_by_views(x)),
    "norm": lambda x: np.linalg.norm(x),
}


@pytest.mark.parametrize("name", SUMMED)
def test_gradient_of_a_sum_over_items(name):
    inner = SUMMED[name]
    found = grad(lambda x: np.sum(vmap(inner)(x)))(X)
    numpy.testing.assert_allclose(found, numpy.stack([grad(inner)(x) for x in X]), rtol=1e-12)
    found = hessian(lambda w: np.sum(vmap(lambda x: inner(w * x))(X)))(X[0])
    expected = sum(hessian(lambda w, x=x: inner(w * x))(X[0]) for x in X)
    numpy.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def test_a_derivative_between_two_mapped_functions():
    def each(w):
        return vmap(grad(lambda x: np.sum(np.sin(w * x) ** 2)))(X)

    def looped(w):
        return np.stack([grad(lambda y: np.sum(np.sin(w * y) ** 2))(x) for x in X])

    for transform in (lambda f: jacobian(f, mode="forward"), lambda f: jacobian(f, mode="reverse")):
        check_loop(transform(each), X)
        numpy.testing.assert_allclose(transform(each)(X[0]), transform(looped)(X[0]), rtol=1e-10)


@implicit(lambda x, a: x * x - a * a - 1)
def hypotenuse(a):
    return (float(a) ** 2 + 1) ** 0.5


SOLVED = {
    "root": lambda a: optimize.root(lambda x: x * x - a**2 - 1, 1.0).x,
    "root of what is given": lambda a: optimize.root(lambda x, a: x * x - a**2 - 1, 1.0, args=(a,)).x,
    "root_scalar": lambda a: optimize.root_scalar(lambda x: x * x - a**2 - 1, x0=1.0, method="newton").root,
    "fixed_point": lambda a: optimize.fixed_point(lambda x: np.cos(a * x / 4), 0.5),
    "minimize": lambda a: np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.ones(2)).x),
    "implicit": hypotenuse,
}


@pytest.mark.parametrize("name", SOLVED)
def test_solvers(name):
    check_loop(SOLVED[name], S, tolerance=1e-6)
    check_loop(grad(lambda a: np.sum(SOLVED[name](a)) * a), S, tolerance=1e-5)
    found = grad(lambda a: np.sum(vmap(SOLVED[name])(a)))(S)
    expected = numpy.stack([grad(lambda a: np.sum(SOLVED[name](a)))(s) for s in S])
    numpy.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_an_operation_of_the_users():
    @custom_primitive
    def cube(a):
        assert type(a) in (numpy.ndarray, numpy.float64)
        return a**3

    @cube.differential
    def _(x, a, da):
        return 3 * a**2 * da

    check_loop(cube, X)
    check_loop(grad(lambda x: np.sum(cube(x) * x)), X)
    check_loop(grad(cube), S)


COMPILED = {
    "gradient": vmap(grad(smooth)),
    "assembly": vmap(grad(assembled)),
    "weights": lambda x: vmap(grad(loss), in_axes=(None, 0))(W, x),
    "scan": vmap(lambda x: scan(lambda c, y: (c * y + 1, c * c), x[0], x)),
    "cond": vmap(lambda x: cond(x[0] > 0, lambda y: y**2, np.sin, x)),
    "while_loop": vmap(lambda x: while_loop(lambda c: c < 10, lambda c: c * 1.5 + 1, np.abs(x[0]))),
    "sorted": vmap(lambda x: x[np.argsort(x)]),
    "Hessian": vmap(hessian(smooth)),
    "compiled inside": vmap(compile(grad(assembled))),
    "inverse": vmap(grad(lambda x: np.sum(np.linalg.inv(np.diag(x) + 3 * np.eye(3))))),
    "sum": grad(lambda x: np.sum(vmap(smooth)(x))),
}


@pytest.mark.parametrize("name", COMPILED)
def test_compiled(name):
    f = compile(COMPILED[name])
    for x in (X, X * 0.5, numpy.cos(X)):
        expected = COMPILED[name](x)
        for a, b in zip(numpy_leaves(f(x)), numpy_leaves(expected), strict=True):
            numpy.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def numpy_leaves(tree):
    return tree if isinstance(tree, tuple) else (tree,)
