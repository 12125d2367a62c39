"""Polynomials: values as NumPy's, leading zeros, roots at zero and at infinity, multiple roots."""

from __future__ import annotations

import numpy as np
import pytest

from traced_values import check_value, draw, name_of, raises_the_same
from wirtinger import NotDifferentiableError, TraceError, grad, gradcheck, hessian, jacobian, jvp, vjp

DTYPES = (np.float32, np.float64, np.complex64, np.complex128)


class TestValues:
    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_arithmetic(self, dtype):
        a, b, x = draw(4, dtype), draw(3, dtype, seed=1), draw((2, 3), dtype, seed=2)
        for p, q in ((a, b), (b, a), (a, a), (b, b[:1])):
            for function in (np.polyadd, np.polysub, np.polymul, np.polydiv):
                check_value(function, p, q, ulps=64)
        check_value(np.polyval, a, x, ulps=64)
        check_value(lambda a: np.polyval(a, 2), a, ulps=64)
        check_value(lambda a: np.polyval(a, [1, 2]), a, ulps=64)
        check_value(np.polyval, a[:0], x)
        for m in range(6):
            check_value(np.polyder, a, m=m)
            check_value(np.polyint, a, m=m)
        check_value(lambda a: np.polyint(a, 3, 2), a)
        check_value(lambda a: np.polyint(a, 2, [1, 2]), a)
        for n in (None, 0, 1, 5):
            check_value(np.vander, a, N=n)
            check_value(np.vander, a, N=n, increasing=True)
        check_value(np.poly, a, ulps=64)
        check_value(np.roots, a, ulps=256)

    def test_conjugate_zeros_make_a_real_polynomial(self):
        check_value(np.poly, np.array([1 + 2j, 1 - 2j, 3 + 0j]))
        check_value(np.poly, np.ones(0))

    def test_leading_zeros(self):
        a, b = np.array([0.0, 0.0, 1.0, 2.0]), np.array([0.0, 3.0])
        check_value(np.polymul, a, b)
        check_value(np.polymul, np.zeros(3), b)
        check_value(np.polydiv, np.array([1.0, 2.0, 1.0]), np.array([1.0, 1.0]))
        # a leading coefficient that is zero now matters for the others, and for one that is left out
        found = jacobian(lambda a: np.polymul(np.append(np.zeros(1), a), [1.0, 5.0]))(np.array([1.0, 2.0]))
        np.testing.assert_array_equal(found, [[1, 0], [5, 1], [0, 5]])

    def test_poly1d_counts_as_its_coefficients(self):
        p = np.poly1d([2.0, -1.0, 3.0])
        found = vjp(lambda a: np.polyval(a, p), np.array([1.0, 2.0]))[0]
        np.testing.assert_array_equal(found, np.polyval([1.0, 2.0], p).coeffs)
        np.testing.assert_array_equal(vjp(lambda a: np.polymul(a, p), np.array([1.0, 2.0]))[0], (p * [1.0, 2.0]).coeffs)

    def test_errors(self):
        a = draw(3)
        raises_the_same(lambda a: np.polyder(a, -1), a)
        raises_the_same(lambda a: np.polyint(a, -1), a)
        raises_the_same(lambda a: np.polyint(a, 3, [1, 2]), a)
        raises_the_same(lambda a: np.poly(a[None]), a)
        raises_the_same(lambda a: np.roots(a[None]), a)
        raises_the_same(lambda a: np.vander(a[None]), a)


class TestRoots:
    def test_roots_at_zero_and_at_infinity(self):
        # x^2 - x has the roots 1 and 0; a small change e of the coefficients of 1 and of x^3 moves both
        p = np.array([0.0, 1.0, -1.0, 0.0])
        np.testing.assert_array_equal(np.roots(p), [1, 0])
        found = jacobian(np.roots)(p)
        np.testing.assert_allclose(found, [[-1, -1, -1, -1], [0, 0, 0, 1]], atol=1e-15)

    def test_complex_roots_of_a_real_polynomial(self):
        p = np.array([1.0, 0.0, 4.0])
        assert gradcheck(lambda p: np.sort(np.roots(p)), p)

    def test_multiple_root(self):
        with pytest.raises(NotDifferentiableError, match="multiple root"):
            grad(lambda p: np.sum(np.abs(np.roots(p))))(np.array([1.0, 0.0, 0.0]))

    def test_multiple_root_that_only_decides(self):
        p, dp = np.array([1.0, 0.0, 0.0]), np.array([1.0, 2.0, 3.0])
        f = lambda p: np.sum(p**2) if np.all(np.roots(p).real < 1) else np.sum(p)
        np.testing.assert_array_equal(grad(f)(p), 2 * p)
        assert jvp(f, (p,), (dp,)) == (1, 2)

    def test_no_roots(self):
        assert np.all(grad(lambda p: np.sum(np.roots(p)))(np.array([0.0, 2.0])) == 0)
        assert np.all(grad(lambda p: np.sum(np.roots(p)))(np.zeros(3)) == 0)

    def test_poly_and_roots_are_inverse(self):
        z = np.array([2.0 + 1j, -1.0, 0.5j])
        found = grad(lambda z: np.real(np.sum(np.roots(np.poly(z)) * np.array([1, 1, 1]))))(z)
        np.testing.assert_allclose(found, [1, 1, 1], rtol=1e-12)


class TestCharacteristicPolynomial:
    """At equal and defective eigenvalues, which have no derivatives themselves."""

    @pytest.mark.parametrize("dtype", DTYPES, ids=name_of)
    def test_equal_eigenvalues(self, dtype):
        # det(s - c - da) = (s - c)^3 - tr(da) (s - c)^2 + ..
        da, c = draw((3, 3), dtype), 2 + 1j if np.dtype(dtype).kind == "c" else 2
        value, tangent = jvp(np.poly, ((c * np.eye(3)).astype(dtype),), (da,))
        np.testing.assert_allclose(value, [1, -3 * c, 3 * c**2, -(c**3)], rtol=1e-6)
        expected = -np.trace(da) * np.array([0, 1, -2 * c, c * c])
        np.testing.assert_allclose(tangent, expected, rtol=100 * np.finfo(dtype).eps)

    @pytest.mark.parametrize(
        "roots", [2 * np.eye(2, dtype=complex), np.array([1 + 2j, 1 - 2j])], ids=["matrix", "pair"]
    )
    def test_a_real_result_has_a_real_derivative_or_none(self, roots):
        """Where complex roots come in pairs NumPy's result is real, and next to it complex."""
        value, tangent = jvp(np.poly, (roots,), (roots.conj(),))
        assert value.dtype.kind == tangent.dtype.kind == "f"
        with pytest.raises(NotDifferentiableError, match="conjugate pairs"):
            jvp(np.poly, (roots,), (1j * np.ones_like(roots) * np.eye(2)[0],))

    @pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids=name_of)
    def test_derivatives_at_defective_matrices(self, dtype):
        a = np.array([[2, 1, 0, 0], [0, 2, 0, 0], [0, 0, -1, 3], [0, 0, 0, -1]], dtype)
        q = np.linalg.qr(draw((4, 4), dtype))[0]
        a = q @ (a + (1j * np.eye(4) if a.dtype.kind == "c" else 0)) @ q.conj().T
        assert gradcheck(np.poly, a)

    def test_similar_matrices_have_one_characteristic_polynomial(self):
        companion, t = np.eye(4, k=-1), draw((4, 4)) + 2 * np.eye(4)
        companion[0] = [-4.0, -3.0, -2.0, -1.0]
        for weights in np.eye(5):
            found = grad(lambda t, w=weights: np.poly(np.linalg.solve(t, companion) @ t) @ w)(t)
            np.testing.assert_allclose(found, 0, atol=1e-12)

    def test_eigenvalues_of_very_different_sizes(self):
        # a chain of integrators and two fast modes: the companion matrix of s^2 (s + 1e3) (s + 1e6)
        a = np.diag([1.0, 1.0, 1.0], -1)
        a[0] = -np.poly([0.0, 0.0, -1e3, -1e6])[1:]
        found = jacobian(np.poly)(a)
        for k in range(4):
            np.testing.assert_allclose(found[k + 1, 0], -np.eye(4)[k], atol=1e-12 * np.max(np.abs(found[k + 1])))
        with pytest.raises(NotDifferentiableError, match="different sizes"):
            hessian(lambda a: np.poly(np.kron(a, np.eye(2)))[-1])(np.diag(10.0 ** np.arange(-6, 7, 3.0)))


class TestFit:
    X = np.array([0.0, 0.4, 1.1, 1.9, 2.6, 3.3])

    def test_values(self):
        y = draw((6, 2))
        check_value(lambda x, y: np.polyfit(x, y, 2), self.X, y, ulps=512)
        check_value(lambda x, y: np.polyfit(x, y, 1, w=[1, 2, 1, 1, 0.5, 1]), self.X, y[:, 0], ulps=512)
        check_value(lambda x, y: np.polyfit(x, y, 1, cov=True), self.X, y, ulps=512)
        check_value(lambda x, y: np.polyfit(x, y, 1, full=True), self.X, y, ulps=512)

    def test_polynomial_is_its_own_fit(self):
        found = jacobian(lambda p: np.polyfit(self.X, np.polyval(p, self.X), 2))(np.array([1.0, -2.0, 0.5]))
        np.testing.assert_allclose(found, np.eye(3), atol=1e-12)

    def test_errors(self):
        raises_the_same(lambda x: np.polyfit(x, x, -1), self.X)
        raises_the_same(lambda x: np.polyfit(x[None], x, 1), self.X)
        raises_the_same(lambda x: np.polyfit(x[:0], x[:0], 1), self.X)
        raises_the_same(lambda x: np.polyfit(x, x[1:], 1), self.X)
        raises_the_same(lambda x: np.polyfit(x, x, 1, w=x[1:]), self.X)
        raises_the_same(lambda x: np.polyfit(x[:2], x[:2], 1, cov=True), self.X)

    def test_rank_warning(self):
        with pytest.warns(np.exceptions.RankWarning, match="poorly conditioned"):
            vjp(lambda x: np.polyfit(x, x, 3), np.array([1.0, 1.0, 2.0, 2.0]))


class TestPolynomialPackage:
    """`numpy.polynomial` is written in NumPy's functions, with asarray on the coefficients."""

    def test_traced_points(self):
        assert gradcheck(lambda x: np.polynomial.polynomial.polyval(x, [1.0, -2.0, 3.0]), draw(3, complex))
        assert gradcheck(lambda x: np.polynomial.chebyshev.chebval(x, [1.0, -2.0, 3.0]), draw(3))

    def test_traced_coefficients_are_refused(self):
        with pytest.raises(TraceError, match="lose its derivative"):
            grad(lambda c: np.polynomial.polynomial.polyval(2.0, c))(np.array([1.0, 2.0]))


class TestLeadingZerosLeftOut:
    """Beside a leading zero the result is a longer one: no derivative where that moves, and one where it does not."""

    B = np.array([0.0, 1.0, 2.0])

    def test_product(self):
        def loss(a):
            return np.polyval(np.polymul(a, self.B), 0.5)

        a = np.array([0.0, 1.0, 3.0])
        for derivative in (lambda: grad(loss)(a), lambda: jvp(loss, (a,), (np.ones(3),)), lambda: hessian(loss)(a)):
            with pytest.raises(NotDifferentiableError, match="leading coefficients that are 0"):
                derivative()
        assert jvp(loss, (a,), (np.array([0.0, 1.0, 0.0]),))[1] == 1.25
        padded = lambda a: loss(np.concatenate([np.zeros(1), a * np.array([1.0, 1.0])]))
        np.testing.assert_array_equal(grad(padded)(a[1:]), [1.25, 2.5])
        np.testing.assert_array_equal(hessian(lambda a: padded(a) ** 2)(a[1:]), 2 * np.outer([1.25, 2.5], [1.25, 2.5]))

    def test_remainder(self):
        divisor = np.array([1.0, 1.0, 1.0])
        remainder = lambda u: np.polydiv(u, divisor)[1]
        with pytest.raises(NotDifferentiableError, match="polydiv"):
            jacobian(remainder)(np.polymul(divisor, [1.0, 2.0]))
        np.testing.assert_array_equal(
            jacobian(remainder)(np.array([1.0, 2.0, 3.0, 4.0])), [[0, -1, 1, 0], [1, -1, 0, 1]]
        )
        with pytest.raises(NotDifferentiableError, match="polydiv"):  # nothing is divided
            grad(lambda u: np.sum(np.polydiv(u, np.ones(4))[1]))(self.B)
