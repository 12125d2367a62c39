"""Points where values or derivatives of special functions were found wrong, against mpmath."""

from __future__ import annotations

import math
import warnings

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import compile, grad, jacobian, jvp, special

BRANCH_POINT = -math.exp(-1)
STEP = mp.mpf(10) ** -30


def exactly(x):
    return mp.mpc(x.real, x.imag) if isinstance(x, complex) else mp.mpf(x)


def differences(f, point, i, j=None):
    """The derivative of `f` in argument `i`, or then in `j`, by central differences at the scale of the arguments."""

    def along(g, k):
        def derivative(*x):
            h = STEP * (abs(x[k]) or 1)
            ahead, behind = ((*x[:k], x[k] + s * h, *x[k + 1 :]) for s in (1, -1))
            return (g(*ahead) - g(*behind)) / (2 * h)

        return derivative

    g = along(f, i)
    return (g if j is None else along(g, j))(*map(exactly, point))


def derivative_in(f, i):
    return lambda *x: jvp(lambda t: f(*x[:i], t, *x[i + 1 :]), (x[i],), (np.ones_like(x[i]),))[1]


def omega(z):
    w = exactly(complex(scipy.special.wrightomega(complex(z))))
    for _ in range(7):
        w -= (w + mp.log(w) - z) / (1 + 1 / w)
    return w


CASES = {
    "beta": (mp.beta, [(0.00027, 634573.9), (101901.6, 1.6e-6), (5.48, 99187.1), (2e-8, -0.83), (-3 + 2.6e-8, -4.9)]),
    "binom": (mp.binomial, [(13148289.4, 29.0), (867324.7, 0.0703), (189897.7, 4.1e-5), (50.9, 1.5e-7)]),
    "digamma": (lambda x: mp.psi(0, x), [(-2.0 + 1e-9,), (7.5 - 1j,)]),
    "rgamma": (mp.rgamma, [(-82.79798308263555,)]),
    "zeta": (mp.zeta, [(-7.6e-8,), (-0.2,), (70.0,), (-0.1 + 3j,)]),
    "kl_div": (
        lambda x, y: x * mp.log(x / y) - x + y,
        [(0.5413641798123329, 0.5413641798145035), (2.0, 2.1), (2.0, 3.0), (1e-20, 1e5)],
    ),
    "boxcox": (lambda x, t: mp.expm1(t * mp.log(x)) / t, [(1.7e-111, 0.39), (2.0, 1e-9)]),
    "inv_boxcox": (lambda x, t: mp.exp(mp.log1p(t * x) / t), [(10.921597034436939, -0.09156170080683997), (0.5, 1e-9)]),
    "inv_boxcox1p": (lambda x, t: mp.expm1(mp.log1p(t * x) / t), [(6.219788765072053, -0.1607771642)]),
    "pseudo_huber": (lambda d, r: d * d * (mp.sqrt(1 + (r / d) ** 2) - 1), [(2.2e-30, 3.7e-12), (2.5e-8, -1.3e-12)]),
    "log_ndtr": (
        lambda z: mp.log1p(-mp.erfc(z / mp.sqrt(2)) / 2),
        [(6.0 - 2.5j,), (4.8 + 3e-7j,), (3.0,), (30.0,)],
    ),
    "ellipkinc": (mp.ellipf, [(1.5707962912601543, 0.999999999996649), (4.71238898038469, 0.998), (20.0, -3.0)]),
    "ellipeinc": (mp.ellipe, [(1.5707962912601543, 0.999999999996649), (4.71238898038469, 0.998)]),
    "ellipkm1": (lambda p: mp.pi / 2 / mp.agm(1, mp.sqrt(p)), [(3.6e-112,), (1e-3,)]),
    "elliprd": (mp.elliprd, [(11.4 - 28.1j, 1.8e-4 - 1.3e-4j, -2.5e-4 + 2e-4j)]),
    "elliprc": (mp.elliprc, [(-2.6 - 8j, -0.0229 - 0.0241j)]),
    "wrightomega": (omega, [(-1 + 1e-9 + 3.1415926j,), (-1.000001 - 3.1415926j,), (0.3 + 0.2j,)]),
    **{
        f"lambertw({k})": (
            lambda z, k=k: mp.lambertw(z, k),
            [(BRANCH_POINT + gap,) for gap in ((1e-12j, 1e-9 + 1e-9j, 0.05j) if k != 1 else (-1e-12j, 1e-9 - 1e-9j))],
        )
        for k in (0, -1, 1)
    },
    **{
        f"polygamma({n})": (lambda z, n=n: mp.psi(n, z), points)
        for n, points in (
            (13, [(0.3 - 1.4j,), (-5.4 + 1.5j,), (-7.3,), (60.0,)]),
            (40, [(-5.42 - 0.24j,), (0.26 + 2.5j,), (-3.5,)]),
            (100, [(0.086 - 0.235j,), (-14.7 + 4.1j,), (3680.2,)]),
        )
    },
    **{
        f"diric({n})": (
            lambda x, n=n: mp.sin(n * x / 2) / (n * mp.sin(x / 2)),
            [(2 * math.pi + 1.6e-7,), (-4 * math.pi + 1e-9,), (1.3,), (6.9358618,)],
        )
        for n in (3, 12, 101)
    },
}


def function_of(name):
    base, _, parameter = name.removesuffix(")").partition("(")
    f = getattr(special, base)
    if base == "polygamma":
        return lambda x: f(int(parameter), x)
    return (lambda x: f(x, int(parameter))) if parameter else f


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", CASES)
def test_values_and_derivatives_to_second_order(name):
    reference, points = CASES[name]
    f = function_of(name)
    for point in points:
        arguments = [np.asarray(x)[()] for x in point]
        with mp.workdps(150):
            value = reference(*map(exactly, point))
            derivatives = [differences(reference, point, i) for i in range(len(point))]
            scale = abs(value) + sum(abs(x * derivative) for x, derivative in zip(point, derivatives, strict=True))
            assert abs(exactly(f(*arguments).item()) - value) <= 1e-12 * scale
            for i, derivative in enumerate(derivatives):
                scale = abs(derivative) + abs(value) / max(1, abs(point[i]))
                assert abs(exactly(derivative_in(f, i)(*arguments).item()) - derivative) <= 1e-11 * scale
                for j in range(len(point)):
                    second = differences(reference, point, i, j)
                    scale = abs(second) + abs(derivative) / max(1, abs(point[j]))
                    found = exactly(derivative_in(derivative_in(f, i), j)(*arguments).item())
                    assert abs(found - second) <= 1e-8 * scale, (point, i, j)


@pytest.mark.parametrize("gap", [1e-15, 1e-9, 1e-3])
@pytest.mark.parametrize("k", [0, -1])
def test_real_lambertw_beside_its_branch_point(k, gap):
    """SciPy's branch -1 is nearly -1 there."""
    x = BRANCH_POINT + gap
    with mp.workdps(60):
        w = mp.re(mp.lambertw(mp.mpf(x), k))
        derivative = float(mp.exp(-w) / (1 + w))
    assert abs(special.lambertw(x, k).real / float(w) - 1) < 1e-15
    assert abs(grad(lambda x: np.real(special.lambertw(x, k)))(x) / derivative - 1) < 1e-13


@pytest.mark.parametrize("n", [171, 400])
def test_polygamma_of_orders_whose_factorial_overflows(n):
    x = np.array([n / 4, n / 2, 2.0 * n])
    with mp.workdps(40):
        expected = [float((-1) ** (n + 1) * mp.factorial(n) * mp.zeta(n + 1, t)) for t in x]
    np.testing.assert_allclose(special.polygamma(n, x), expected, rtol=1e-12)


def test_inverse_transform_of_tiny_powers():
    """SciPy's is the argument there."""
    assert special.inv_boxcox1p(1.67, 1e-200) == np.expm1(1.67)
    assert grad(special.inv_boxcox1p)(1.67, 1e-200) == pytest.approx(np.exp(1.67), rel=1e-15)
    assert special.inv_boxcox(1.67, 5e-324) == np.exp(1.67)


def test_zetac_far_right():
    with mp.workdps(80):
        expected = [float(mp.zeta(x) - 1) for x in (59.9, 60.1, 130.0)]
    np.testing.assert_allclose(special.zetac(np.array([59.9, 60.1, 130.0])), expected, rtol=1e-15)
    assert grad(grad(special.zetac))(1e300) == 0


@pytest.mark.parametrize("alpha", [-0.5, 0.3, 30.0])
def test_nodes_of_many_laguerre_quadratures(alpha):
    x, w = special.roots_genlaguerre(60, alpha)
    found, derivatives = jvp(lambda a: special.roots_genlaguerre(60, a), (alpha,), (1.0,))
    np.testing.assert_allclose(found[0], x, rtol=1e-13)
    np.testing.assert_allclose(found[1], w, rtol=1e-11)
    h = 1e-4
    ahead, behind = (scipy.special.roots_genlaguerre(60, alpha + s * h) for s in (1, -1))
    for derivative, a, b in zip(derivatives, ahead, behind, strict=True):
        np.testing.assert_allclose(derivative, (a - b) / (2 * h), rtol=1e-5, atol=1e-12)


def test_zeros_of_polynomials_come_in_the_order_of_scipys():
    found = jvp(lambda a: special.genlaguerre(5, a).roots, (0.5,), (1.0,))[0]
    np.testing.assert_allclose(found, scipy.special.genlaguerre(5, 0.5).roots, rtol=1e-12)


# sums of exponentials


def test_weights_of_0_take_no_part():
    a, b = np.array([1000.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    share = np.exp(a[1:]) / np.sum(np.exp(a[1:]))
    np.testing.assert_allclose(grad(lambda a: special.logsumexp(a, b=b))(a), [0, *share])
    log, sign = jvp(lambda a: special.logsumexp(a, b=b, return_sign=True), (a,), (a,))[0]
    assert log == special.logsumexp(a, b=b)
    assert sign == 1


def test_gradients_of_large_exponents_keep_their_digits():
    share = np.array([1.0, np.e]) / (1 + np.e)
    for size in (1e3, 1e8, 1e15):
        np.testing.assert_allclose(grad(special.logsumexp)(size + np.array([0.0, 1.0])), share, rtol=1e-15)


def test_sums_of_0_have_no_finite_derivative():
    a = np.zeros(2)
    assert np.all(np.isinf(grad(lambda b: special.logsumexp(a, b=b))(np.array([1.0, -1.0]))))
    assert np.all(np.isnan(grad(lambda b: special.logsumexp(a, b=b))(np.array([-1.0, 0.5]))))
    assert np.all(grad(special.logsumexp)(np.array([-np.inf, -np.inf])) == 0)


def test_infinite_arguments():
    with np.errstate(invalid="ignore"):
        for f in (
            special.rgamma,
            special.erf,
            special.ndtr,
            lambda x: special.sici(x)[0],
            lambda x: special.sici(x)[1],
        ):
            assert grad(f)(np.inf) == 0
    assert grad(grad(special.log_ndtr))(1e10) == 0


def test_hessians_of_sums_of_exponentials_are_symmetric():
    a, b = np.array([0.3, -1.2, 2.0]), np.array([1.0, -0.2, 0.0])
    hessian = jacobian(grad(lambda a: special.logsumexp(a, b=b)))(a)
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-16)
    np.testing.assert_allclose(np.sum(hessian, axis=0), 0, atol=1e-15)


@pytest.mark.parametrize("name", ["inv_boxcox", "inv_boxcox1p"])
@pytest.mark.parametrize(
    ("x", "t"), [(5.158724934014824e207, 2.8831168366766935), (-2.67e133, -2.65), (-7.6e277, -28.9), (-1e200, -1e-3)]
)
def test_inverse_power_transforms_where_squares_overflow_or_values_are_next_to_the_end(name, x, t):
    """Derivatives in the argument and in the power; `1 + w` has lost the digits where `w` is next to -1."""
    with mp.workdps(400):
        u, power = mp.mpf(t) * mp.mpf(x), mp.mpf(t)
        root = mp.exp(mp.log1p(u) / power)
        expected = root / (1 + u), root * (u / (1 + u) - mp.log1p(u)) / power**2
    for found, right in zip(grad(getattr(special, name), (0, 1))(x, t), expected, strict=True):
        assert abs(found - right) <= 1e-13 * abs(right) + mp.mpf("1e-300")


OUTSIDE = {
    "bdtr": (15, 1, -0.5),
    "boxcox": (-2.0, 0.5),
    "boxcox1p": (-3.0, 0.5),
    "chdtr": (-4.0, 0.2),
    "chdtrc": (-1.0, 6.7),
    "chdtri": (-1.0, 0.5),
    "eval_legendre": (2.0, np.nan),
    "gammainc": (1.0, -2.0),
    "gdtr": (-0.04, 0.8, -7.0),
    "gdtria": (0.9, -15.0, 0.1),
    "inv_boxcox": (-4.0, 0.5),
    "loggamma": (-18.5,),
    "nbdtr": (-4, 11, 0.3),
    "pdtr": (0.0, -1.0),
    "poch": (-1e300, 5.0),
    "stdtr": (-np.inf, 0.0),
    "wright_bessel": (-0.02, 1.98, 3.07),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_where_there_is_no_value_there_is_no_derivative(name):
    """Alone, in an array, and again; its neighbour in the array keeps its own."""
    f, args = getattr(special, name), OUTSIDE[name]
    inside = {"loggamma": (2.5,), "inv_boxcox": (0.4, 0.5)}.get(name, tuple(1 if type(x) is int else 0.5 for x in args))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        assert np.isnan(f(*args))
        for i, x in enumerate(args):
            if type(x) is int:
                continue

            def of_one(t, i=i, others=args):
                return f(*others[:i], t, *others[i + 1 :])

            assert np.isnan(grad(of_one)(x)), i
            pairs = [np.array(pair) for pair in zip(args, inside, strict=True)]
            found = grad(lambda t, i=i, pairs=pairs: np.sum(f(*pairs[:i], t, *pairs[i + 1 :])))(pairs[i])
            assert np.isnan(found[0]), i
            np.testing.assert_array_equal(found[1], grad(lambda t, i=i: of_one(t, i, inside))(inside[i]))


def test_derivatives_beyond_a_domain_are_nan_again_and_compiled():
    with np.errstate(all="ignore"):
        assert np.isnan(grad(grad(special.boxcox))(-2.0, 0.5))
        x = np.array([-2.0, 2.0])
        gradient = grad(lambda x: np.sum(special.boxcox(x, 0.5)))
        np.testing.assert_array_equal(compile(gradient)(x), gradient(x))
        chosen = grad(lambda x: np.sum(np.where(x > 0, special.boxcox(x, 0.5), 0.0)))
        np.testing.assert_array_equal(chosen(x), [0.0, gradient(x)[1]])
