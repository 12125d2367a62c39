"""The transforms: signatures, trees, convention, errors."""

from __future__ import annotations

import dataclasses
from collections import namedtuple

import numpy as np
import pytest

import wirtinger
from wirtinger import (
    CauchyRiemannError,
    GradcheckError,
    LinearityError,
    NotDifferentiableError,
    TraceError,
    Wirtinger,
    checkpoint,
    custom_primitive,
    grad,
    gradcheck,
    hessian,
    holomorphic_grad,
    hvp,
    jacobian,
    jvp,
    linearize,
    stop_gradient,
    value_and_grad,
    vjp,
    wirtinger_derivatives,
)

Z = np.array([1 + 2j, -0.5 + 0.3j, 2j])
X = np.array([0.5, -1.0, 2.0])


class TestConvention:
    def test_steepest_ascent(self):
        np.testing.assert_allclose(grad(lambda z: np.sum(np.abs(z) ** 2))(Z), 2 * Z)

    def test_gradient_is_twice_the_conjugate_derivative(self):
        def loss(z):
            return np.sum(np.real(z**3) * np.abs(z))

        np.testing.assert_allclose(grad(loss)(Z), 2 * wirtinger_derivatives(loss)(Z).dzbar, rtol=1e-14)

    def test_gradient_is_dx_plus_i_dy(self):
        def loss(z):
            return np.sum(np.imag(np.exp(z) * np.conj(z)))

        def split(x, y):
            return loss(x + 1j * y)

        dx, dy = grad(split, (0, 1))(Z.real, Z.imag)
        np.testing.assert_allclose(grad(loss)(Z), dx + 1j * dy, rtol=1e-14)

    def test_real_argument_takes_the_real_part(self):
        gradient = grad(lambda x: np.real(np.sum(Z * x)))(X)
        assert gradient.dtype == np.float64
        np.testing.assert_allclose(gradient, Z.real)

    def test_pullback_is_the_adjoint(self):
        random = np.random.default_rng(1)
        t, g = random.standard_normal((2, 3)) + 1j * random.standard_normal((2, 3))

        def f(z):
            return np.conj(z) * np.abs(z) + z**2

        dout = jvp(f, (Z,), (t,))[1]
        pulled = vjp(f, Z)[1](g)[0]
        assert np.real(np.vdot(g, dout)) == pytest.approx(np.real(np.vdot(pulled, t)), rel=1e-14)


Point = namedtuple("Point", "x y")


@dataclasses.dataclass(frozen=True)
class Model:
    weights: dict
    bias: complex


class TestTrees:
    def test_nested(self):
        params = {"a": [X, (Z, 2.0)], "b": None, "c": Point(1.0, np.array([3.0]))}

        def loss(p):
            (first, (second, scale)) = p["a"]
            return scale * np.sum(first**2) + np.sum(np.abs(second) ** 2) + p["c"].x * p["c"].y[0]

        value, gradient = value_and_grad(loss)(params)
        assert value == pytest.approx(2 * np.sum(X**2) + np.sum(np.abs(Z) ** 2) + 3)
        np.testing.assert_allclose(gradient["a"][0], 4 * X)
        np.testing.assert_allclose(gradient["a"][1][0], 2 * Z)
        assert gradient["a"][1][1] == pytest.approx(np.sum(X**2))
        assert gradient["b"] is None
        assert gradient["c"] == Point(3.0, np.array([1.0]))

    def test_dataclass(self):
        model = Model({"w": X}, 1 + 1j)
        gradient = grad(lambda m: np.sum(m.weights["w"] ** 2) + np.abs(m.bias) ** 2)(model)
        assert isinstance(gradient, Model)
        np.testing.assert_allclose(gradient.weights["w"], 2 * X)
        assert gradient.bias == pytest.approx(2 + 2j)

    def test_output_trees(self):
        out, pullback = vjp(lambda x: {"s": np.sin(x), "pair": (x, 2.0)}, X)
        assert set(out) == {"s", "pair"}
        (g,) = pullback({"s": np.ones(3), "pair": (np.zeros(3), 0.0)})
        np.testing.assert_allclose(g, np.cos(X))

    def test_argnums(self):
        def loss(a, b, c):
            return a * b**2 * c

        assert grad(loss, 1)(2.0, 3.0, 5.0) == 60.0
        assert grad(loss, (2, 0))(2.0, 3.0, 5.0) == (18.0, 45.0)
        assert grad(loss, -1)(2.0, 3.0, 5.0) == 18.0
        assert grad(lambda a, *, k: a * k)(2.0, k=3.0) == 3.0

    def test_has_aux(self):
        (value, aux), gradient = value_and_grad(lambda x: (np.sum(x**2), {"x2": x * 2, "n": 3}), has_aux=True)(X)
        assert value == np.sum(X**2)
        np.testing.assert_array_equal(aux["x2"], 2 * X)
        assert type(aux["x2"]) is np.ndarray
        np.testing.assert_array_equal(gradient, 2 * X)
        gradient, aux = grad(lambda x: (np.sum(x), "text"), has_aux=True)(X)
        assert aux == "text"
        with pytest.raises(TypeError, match="has_aux=True"):
            grad(np.sum, has_aux=True)(X)

    def test_unused_arguments_have_zero_gradient(self):
        gradient = grad(lambda p: np.sum(p["a"]))({"a": X, "b": Z})
        np.testing.assert_array_equal(gradient["b"], np.zeros(3, complex))

    def test_a_loss_of_one_element(self):
        column = np.array([[1.0], [2.0]])
        a = np.array([[2.0, 1.0], [0.0, 3.0]])
        value, gradient = value_and_grad(lambda x: x.T @ a @ x)(column)
        assert value.shape == (1, 1)
        np.testing.assert_array_equal(gradient, (a + a.T) @ column)
        np.testing.assert_array_equal(hessian(lambda x: x.T @ a @ x)(column)[:, 0, :, 0], a + a.T)

    def test_python_scalars(self):
        assert grad(lambda x: x * x)(3.0) == 6.0
        assert grad(lambda z: np.abs(z) ** 2)(1 + 2j) == 2 + 4j


class TestErrors:
    def test_vector_output(self):
        with pytest.raises(TypeError, match=r"shape \(3,\).*jacobian"):
            grad(np.sin)(X)

    def test_complex_output(self):
        with pytest.raises(TypeError, match=r"real loss.*holomorphic_grad"):
            grad(np.sum)(Z)

    def test_several_outputs(self):
        with pytest.raises(TypeError, match="2 leaves"):
            grad(lambda x: (x, x))(1.0)

    @pytest.mark.parametrize("f", [np.sin, np.floor, lambda x: x, lambda x: 1.0], ids=["sin", "floor", "x", "1"])
    def test_derivatives_of_numbers_are_numbers(self, f):
        reverse = grad(f)(0.5), jacobian(f)(0.5), hessian(f)(0.5), vjp(f, 0.5)[1](1.0)[0]
        forward = jvp(f, (0.5,), (1.0,))[1], jacobian(f, mode="forward")(0.5), linearize(f, 0.5)[1](1.0)
        assert {type(x) for x in reverse + forward} == {np.float64}

    @pytest.mark.parametrize("transform", [grad, value_and_grad, jacobian, hessian, holomorphic_grad])
    def test_a_value_in_the_place_of_a_function(self, transform):
        with pytest.raises(
            TypeError, match=r"grad\(f\)\(x\), not grad\(f\(x\)\); .* It was given a value of type float64"
        ):
            transform(np.sum(np.ones(3)))

    @pytest.mark.parametrize(
        "call",
        [
            lambda value: vjp(value, X),
            lambda value: jvp(value, (X,), (X,)),
            lambda value: linearize(value, X),
            lambda value: hvp(value, (X,), (X,)),
            checkpoint,
            custom_primitive,
        ],
        ids=["vjp", "jvp", "linearize", "hvp", "checkpoint", "custom_primitive"],
    )
    def test_a_value_before_the_primals(self, call):
        with pytest.raises(TypeError, match=r"takes a function first: .* vjp\(f, x\)\. It was given .* ndarray"):
            call(np.ones(3))

    def test_argnums_is_no_name(self):
        with pytest.raises(TypeError, match="argnums='x' must be numbers of positional arguments"):
            grad(lambda x: x, argnums="x")(1.0)

    def test_a_list_of_traced_values_is_named_as_a_cause(self):
        with pytest.raises(TraceError, match=r"by numpy\.sum,.*`np\.sum\(\[x, 2 \* x\]\)`\)\. Call wirtinger\.sum\."):
            grad(lambda x: np.sum([x, 2 * x]))(1.0)

    @pytest.mark.parametrize("transform", [grad, value_and_grad, jacobian, hessian])
    def test_argnums_name_an_argument_once(self, transform):
        for argnums in ((0, 0), (1, 0, -1)):
            with pytest.raises(ValueError, match="names an argument twice"):
                transform(lambda x, y: x * y, argnums)(1.0, 2.0)

    def test_argnums_out_of_range(self):
        with pytest.raises(ValueError, match=r"argnums=3 asks for .* 3 \(the first is 0\), but the call has 1"):
            grad(np.sin, 3)(1.0)

    def test_a_loss_of_integers(self):
        with pytest.raises(NotDifferentiableError, match="its result is int64: return a floating-point number"):
            grad(lambda x: np.argmax(x).astype(np.int64))(np.arange(3.0))

    @pytest.mark.parametrize("mode", [None, "forward", "reverse"])
    def test_integers_and_text_among_results(self, mode):
        of_x, of_index = jacobian(lambda x: (x, np.argmax(x)), mode=mode)(X)
        np.testing.assert_array_equal(of_x, np.eye(3))
        np.testing.assert_array_equal(of_index, np.zeros(3), strict=True)
        with pytest.raises(NotDifferentiableError, match=r"its result holds <U4: return numbers alone"):
            jacobian(lambda x: (x, "text"), mode=mode)(X)

    @pytest.mark.parametrize(
        "transform",
        [
            lambda f: vjp(f, X),
            lambda f: jvp(f, (X,), (X,)),
            lambda f: linearize(f, X),
            lambda f: jacobian(f)(X),
            lambda f: jacobian(f, mode="forward")(X),
            lambda f: grad(lambda x: (np.sum(x), f(x)), has_aux=True)(X),
        ],
        ids=["vjp", "jvp", "linearize", "jacobian", "forward", "aux"],
    )
    def test_a_result_of_objects_that_hold_derivatives(self, transform):
        with pytest.raises(TraceError, match=r"array of objects that holds traced values.*wirtinger\.array\(a\.tolist"):
            transform(lambda x: wirtinger.array([x[0], x[1] ** 2], dtype=object))

    def test_not_a_number(self):
        with pytest.raises(TypeError, match="holds a str"):
            grad(lambda s: 1.0)("text")

    def test_cotangent_of_another_shape(self):
        _, pullback = vjp(np.sin, X)
        with pytest.raises(ValueError, match=r"shape \(2,\)"):
            pullback(np.ones(2))

    def test_complex_cotangent_of_a_real_output(self):
        _, pullback = vjp(np.sin, X)
        with pytest.raises(TypeError, match="real"):
            pullback(1j * np.ones(3))

    def test_tangent_of_another_shape(self):
        with pytest.raises(ValueError, match="tangent 0"):
            jvp(np.sin, (X,), (np.ones(2),))

    @pytest.mark.parametrize("transform", [jvp, hvp])
    def test_bare_primals(self, transform):
        name = transform.__name__
        with pytest.raises(TypeError, match=rf"{name} takes .* tuples: {name}\(f, \(x,\), \(dx,\)\), and not ndarray"):
            transform(np.sin, X, X)

    @pytest.mark.parametrize("convert", [int, float, complex, np.asarray, lambda x: np.array([x])])
    def test_conversions_that_lose_the_derivative(self, convert):
        with pytest.raises(TraceError, match="stop_gradient"):
            grad(lambda x: convert(x) * 2.0)(1.0)


class TestWholeDerivatives:
    @pytest.mark.parametrize("mode", ["forward", "reverse", None])
    def test_jacobian_real(self, mode):
        a = np.arange(6.0).reshape(2, 3)
        np.testing.assert_allclose(
            jacobian(lambda x: np.sin(a * x), mode=mode)(X), np.cos(a * X)[..., None] * a[..., None] * np.eye(3)
        )

    @pytest.mark.parametrize("mode", ["forward", "reverse", None])
    def test_jacobian_complex(self, mode):
        pair = jacobian(lambda z: z**2 * np.conj(z), mode=mode)(Z)
        np.testing.assert_allclose(pair.dz, np.diag(2 * np.abs(Z) ** 2), atol=1e-14)
        np.testing.assert_allclose(pair.dzbar, np.diag(Z**2), atol=1e-14)

    @pytest.mark.parametrize("mode", ["forward", "reverse"])
    def test_jacobian_between_real_and_complex(self, mode):
        np.testing.assert_allclose(jacobian(lambda x: x * Z, mode=mode)(X), np.diag(Z))
        pair = jacobian(lambda z: np.abs(z) ** 2, mode=mode)(Z)
        np.testing.assert_allclose(pair.dz, np.diag(np.conj(Z)))
        np.testing.assert_allclose(pair.dzbar, np.diag(Z))

    def test_jacobian_of_trees(self):
        result = jacobian(lambda p: {"u": p[0] * p[1]})([X, 2.0])
        np.testing.assert_allclose(result["u"][0], 2 * np.eye(3))
        np.testing.assert_allclose(result["u"][1], X)

    def test_jacobian_of_empty(self):
        assert jacobian(np.sin)(np.zeros((0, 2))).shape == (0, 2, 0, 2)

    def test_hessian_real(self):
        np.testing.assert_allclose(
            hessian(lambda x: np.sum(x**3) + x[0] * x[1])(X), np.diag(6 * X) + np.eye(3)[[1, 0, 2]] * [[1], [1], [0]]
        )

    def test_hessian_complex(self):
        # L = |z|^4: g = 4 |z|^2 z, dg/dz = 8 |z|^2, dg/d(conj z) = 4 z^2
        pair = hessian(lambda z: np.sum(np.abs(z) ** 4))(Z)
        np.testing.assert_allclose(pair.dz, np.diag(8 * np.abs(Z) ** 2), atol=1e-13)
        np.testing.assert_allclose(pair.dzbar, np.diag(4 * Z**2), atol=1e-13)
        v = np.array([1j, 2.0, 1 - 1j])
        np.testing.assert_allclose(
            pair.dz @ v + pair.dzbar @ np.conj(v), hvp(lambda z: np.sum(np.abs(z) ** 4), (Z,), (v,))
        )

    def test_hvp_of_several_arguments(self):
        result = hvp(lambda a, b: np.sum(a**2 * b), (X, X), (np.ones(3), np.zeros(3)))
        np.testing.assert_allclose(result[0], 2 * X)
        np.testing.assert_allclose(result[1], 2 * X)

    def test_linearize_is_jvp(self):
        out, differential = linearize(lambda z: np.abs(z) * z, Z)
        for t in (Z, 1j * Z, np.ones(3)):
            value, dout = jvp(lambda z: np.abs(z) * z, (Z,), (t,))
            np.testing.assert_allclose(out, value)
            np.testing.assert_allclose(differential(t), dout)

    def test_wirtinger_pair_of_a_number(self):
        pair = wirtinger_derivatives(lambda z: np.real(z))(1 + 1j)
        assert isinstance(pair, Wirtinger)
        assert (pair.dz, pair.dzbar) == (0.5, 0.5)

    def test_wirtinger_derivatives_of_a_real_argument(self):
        assert wirtinger_derivatives(np.sin)(0.5).dz == pytest.approx(np.cos(0.5))

    def test_holomorphic_grad(self):
        np.testing.assert_allclose(holomorphic_grad(lambda z: np.sum(np.exp(z)))(Z), np.exp(Z))
        assert holomorphic_grad(np.sin)(0.5) == pytest.approx(np.cos(0.5))

    @pytest.mark.parametrize("f", [np.abs, np.conj, np.real, lambda z: z * np.abs(z)])
    def test_holomorphic_grad_refuses(self, f):
        with pytest.raises(CauchyRiemannError, match="not holomorphic"):
            holomorphic_grad(f)(1 + 1j)


class TestStopGradient:
    def test_at_every_level(self):
        assert grad(grad(lambda x: x**2 * stop_gradient(x)))(3.0) == 6.0
        assert jvp(lambda x: x * stop_gradient(x), (3.0,), (1.0,))[1] == 3.0


class TestCustomPrimitive:
    def test_reverse_is_derived_from_the_differential(self):
        @custom_primitive
        def scaled(a, b, *, k):
            return k * a * np.conj(b)

        @scaled.differential
        def _(x, a, b, da, db, *, k):
            return k * (da * np.conj(b) + a * np.conj(db))

        assert gradcheck(lambda a, b: scaled(a, b, k=3.0), Z, Z[::-1].copy())

    def test_several_outputs_and_an_adjoint_by_hand(self):
        @custom_primitive
        def polar(z):
            return np.abs(z), np.angle(z)

        @polar.differential
        def _(x, z, dz):
            r, _ = x
            q = np.conj(z) * dz
            return np.real(q) / r, np.imag(q) / r**2

        assert gradcheck(polar, Z)

    def test_no_differential(self):
        @custom_primitive
        def opaque(a):
            return a * 2

        assert opaque(2.0) == 4.0
        with pytest.raises(NotDifferentiableError, match="opaque"):
            grad(opaque)(2.0)

    def test_a_differential_that_is_not_linear(self):
        @custom_primitive
        def wrong(a):
            return a**2

        @wrong.differential
        def _(x, a, da):
            return np.sin(da)

        with pytest.raises(LinearityError, match=r"differential of wrong applied sin"):
            grad(wrong)(2.0)


class TestGradcheck:
    def test_finds_a_wrong_differential(self):
        @custom_primitive
        def wrong(a):
            return np.sin(a)

        @wrong.differential
        def _(x, a, da):
            return 1.001 * np.cos(a) * da

        with pytest.raises(GradcheckError, match="FAILED  forward against differences"):
            gradcheck(wrong, X)
        assert not gradcheck(wrong, X, raise_exception=False)

    @pytest.mark.parametrize("dtype", [np.float32, np.complex64])
    def test_finds_a_wrong_differential_in_single_precision(self, dtype):
        def sine(derivative):
            @custom_primitive
            def primitive(a):
                return np.sin(a)

            @primitive.differential
            def _(x, a, da):
                return derivative(a) * da

            return primitive

        x = np.array([0.3, 0.7], dtype)
        assert gradcheck(sine(np.cos), x)
        for wrong in (lambda a: np.cos(a + 0.3), lambda a: 1.01 * np.cos(a)):
            with pytest.raises(GradcheckError, match="FAILED  forward against differences"):
                gradcheck(sine(wrong), x)
        rounding = gradcheck(lambda a: sine(np.cos)(a).astype(dtype), x)  # differences in single precision
        assert rounding.checks[1].tolerance > 0.1

    def test_finds_a_wrong_adjoint(self):
        @custom_primitive
        def wrong(z):
            return 1j * z

        @wrong.differential
        def _(x, z, dz):
            return 1j * dz

        @wrong.adjoint
        def _(g, x, z):
            return (1j * g,)

        report = gradcheck(wrong, Z, raise_exception=False)
        failed = [check.name for check in report.checks if not check.passed]
        assert "adjoint of forward" in failed
        assert "forward against differences" not in failed

    def test_an_adjoint_returns_one_cotangent_an_argument(self):
        @custom_primitive
        def double(a):
            return 2 * a

        @double.differential
        def _(x, a, da):
            return 2 * da

        @double.adjoint
        def _(g, x, a):
            return 2 * g

        with pytest.raises(TypeError, match="the adjoint of double returned ndarray, not a tuple of 1"):
            grad(lambda a: np.sum(double(a)))(X)

    def test_finds_a_wrong_second_order(self):
        @custom_primitive
        def wrong(a):
            return a**3

        @wrong.differential
        def _(x, a, da):
            return 3 * stop_gradient(a) ** 2 * da

        assert gradcheck(wrong, X, order=1)
        with pytest.raises(GradcheckError, match="forward over reverse"):
            gradcheck(wrong, X)

    @pytest.mark.parametrize("options", [{"modes": ["fwd"]}, {"modes": ()}, {"order": 3}, {"order": 0}], ids=str)
    def test_options_that_check_nothing(self, options):
        with pytest.raises(ValueError, match="must be"):
            gradcheck(np.sin, X, **options)
        assert gradcheck(np.sin, X, modes="forward")

    def test_a_kink_close_by(self):
        assert gradcheck(np.abs, np.array([3e-6, -2e-6]))
        assert gradcheck(np.sort, np.array([1.0, 1.0 + 3e-6, 0.5]))


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("kind", [np.matrix, np.ma.array])
def test_matrices_and_masked_arrays_are_refused(kind):
    a, b = kind([[1.0, 2.0], [3.0, 4.0]]), np.ones((2, 2))
    for take in (grad(np.sum), lambda a: jvp(np.sin, (a,), (b,)), lambda a: jvp(np.sin, (b,), (a,)), vjp(np.sin, b)[1]):
        with pytest.raises(TypeError, match="plain array"):
            take(a)
    for f in (np.multiply, np.matmul, np.dot, lambda a, b: np.concatenate([a, b])):
        with pytest.raises(TypeError, match="plain array"):
            grad(lambda b, f=f: np.sum(f(a, b)))(b)
