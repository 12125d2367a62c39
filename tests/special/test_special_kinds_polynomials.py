"""Kinds of arguments at which polynomials and functions of Legendre were wrong: the values and first derivatives there.

Each kind draws 5 points, in the exhaustive run 20, `WIRTINGER_SEED` says which; a result is right to 1e-10 beside
mpmath's, or comes with a warning.  The references are sums and derivatives of polynomials, with enough digits for their
cancellation.
"""

from __future__ import annotations

import warnings
from functools import partial

import mpmath
import numpy as np
import pytest

from special_draws import SEED
from wirtinger import DifferentiationError, grad, jvp, special

BAR = 1e-10
COUNTS = pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.exhaustive)])
"""Of the points of a kind."""
DIGITS = 250
SMALLEST = 1e-290
TINY = mpmath.mpf(10) ** -90
"""The step of differences, whose error is in proportion to its square."""


def jacobi(n, a, b, x):
    """DLMF 18.5.8."""
    n, left, right = int(n), (x - 1) / 2, (x + 1) / 2
    terms = (
        mpmath.binomial(n + a, n - k) * mpmath.binomial(n + b, k) * left**k * right ** (n - k) for k in range(n + 1)
    )
    return mpmath.fsum(terms)


def gegenbauer(n, a, x):
    """DLMF 18.5.10."""
    n = int(n)
    terms = (
        (-1) ** k * mpmath.rf(a, n - k) / (mpmath.factorial(k) * mpmath.factorial(n - 2 * k)) * (2 * x) ** (n - 2 * k)
        for k in range(n // 2 + 1)
    )
    return mpmath.fsum(terms)


def shifted_jacobi(n, p, q, x):
    return jacobi(n, p - q, q - 1, 2 * x - 1) / mpmath.binomial(2 * n + p - 1, int(n))


def chebyshev_t(n, x):
    return mpmath.chebyt(int(n), x)


def chebyshev_u(n, x):
    return mpmath.chebyu(int(n), x)


POLYNOMIALS = {
    "eval_legendre": lambda n, x: jacobi(n, 0, 0, x),
    "eval_sh_legendre": lambda n, x: jacobi(n, 0, 0, 2 * x - 1),
    "eval_chebyt": chebyshev_t,
    "eval_chebyu": chebyshev_u,
    "eval_chebyc": lambda n, x: 2 * chebyshev_t(n, x / 2),
    "eval_chebys": lambda n, x: chebyshev_u(n, x / 2),
    "eval_sh_chebyt": lambda n, x: chebyshev_t(n, 2 * x - 1),
    "eval_sh_chebyu": lambda n, x: chebyshev_u(n, 2 * x - 1),
    "eval_gegenbauer": gegenbauer,
    "eval_jacobi": jacobi,
    "eval_sh_jacobi": shifted_jacobi,
}


def of_argument(name, x):
    """What a family takes where Legendre's polynomials take `x`."""
    if "_sh_" in name:
        return (x + 1) / 2
    return 2 * x if name in ("eval_chebyc", "eval_chebys") else x


def parameters(random, name, size):
    if name == "eval_gegenbauer":
        return [random.uniform(0.1, size)]
    if name == "eval_jacobi":
        return list(random.uniform(-0.9, size, 2))
    if name == "eval_sh_jacobi":
        q, excess = random.uniform(0.1, size, 2)
        return [q + excess - 0.9, q]
    return []


def checked(call, reference, bound=0.0):
    """Whether a result is right to the bar, and what one rounding of the arguments makes of it; or warned of."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        found = complex(call())
    if given:
        return True
    reference = mpmath.mpmathify(reference)
    if abs(reference) > mpmath.mpf(2) ** 1023:
        return not np.isfinite(found)
    if abs(reference) < SMALLEST:
        return abs(found) < SMALLEST
    return bool(np.isfinite(found)) and abs(mpmath.mpmathify(found) - reference) <= (BAR + bound) * abs(reference)


def derivative_in(f, args, i):
    """The derivative of one of ours."""
    return lambda: jvp(lambda t: f(*args[:i], t, *args[i + 1 :]), (args[i],), (1.0,))[1]


def difference(reference, args, i):
    """The derivative of a reference."""
    step = TINY * max(abs(args[i]), TINY)
    up, down = ([*args[:i], args[i] + h, *args[i + 1 :]] for h in (step, -step))
    return (reference(*up) - reference(*down)) / (2 * step)


def misses(name, points, derivatives=True):
    """The points at which a polynomial or a derivative in its continuous arguments is wrong."""
    f, reference = getattr(special, name), POLYNOMIALS[name]
    wrong = []
    with mpmath.workdps(DIGITS):
        for args in points:
            exact = [mpmath.mpmathify(t) for t in args]
            if name == "eval_sh_jacobi" and mpmath.binomial(2 * exact[0] + exact[1] - 1, int(args[0])) == 0:
                continue  # divided by 0
            if not checked(lambda args=args: f(*args), reference(*exact)):
                wrong.append((name, args, "value"))
            for i in range(1, len(args) if derivatives else 0):
                if not checked(derivative_in(f, args, i), difference(reference, exact, i)):
                    wrong.append((name, args, i))
    return wrong


def left_of_the_domain(name, count):
    """Whole degrees, and parameters left of the domain that are whole, next to it, or neither."""
    random = np.random.default_rng([SEED, len(name), 7])
    for _ in range(count):
        distance = random.choice([0.0, 10 ** random.uniform(-15, -1), -(10 ** random.uniform(-15, 0))])
        own = [-random.integers(1, 9) + distance, random.choice([random.uniform(-5, 5), -random.integers(0, 9) - 1e-9])]
        own = random.permutation(own) if name == "eval_jacobi" else own[: 1 + (name == "eval_sh_jacobi")]
        own = [a + 0.5 * random.integers(2) for a in own] if name == "eval_gegenbauer" else own
        x = random.uniform(-2, 3) if random.integers(2) else complex(random.uniform(-2, 3), random.uniform(-2, 2))
        yield [float(random.integers(1, 40)), *map(float, own), x]


def left_of_the_interval(name, size, count):
    """Complex arguments left of -1 on the real axis, from both sides."""
    random = np.random.default_rng([SEED, len(name), size])
    for _ in range(count):
        x = -1 - 10 ** random.uniform(-3, 1)
        side = random.choice([0.0, -0.0])
        yield [float(random.integers(1, 60)), *parameters(random, name, size), complex(of_argument(name, x), side)]


@COUNTS
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_left_of_the_interval(name, count):
    assert not misses(name, left_of_the_interval(name, 4, count))


@COUNTS
@pytest.mark.parametrize("name", ["eval_chebyu", "eval_chebys", "eval_sh_chebyu"])
def test_second_kind_of_degree_minus_1_is_0(name, count):
    f, random = getattr(special, name), np.random.default_rng([SEED, 31])
    for t in [-1.0, *(-1 - 10 ** random.uniform(-15, 8, count)), *random.uniform(-1, 3, count)]:
        for x in (of_argument(name, t), complex(of_argument(name, t)), np.array([of_argument(name, t)])):
            ones = np.ones_like(x)[()]

            def first(u, ones=ones):
                return jvp(partial(f, -1.0), (u,), (ones,))[1]

            assert f(-1.0, x) == first(x) == 0
            assert jvp(first, (x,), (ones,)) == (0, 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [1, 40, 300])
@pytest.mark.parametrize("name", POLYNOMIALS)
def test_left_of_the_interval_with_other_parameters(name, size):
    assert not misses(name, left_of_the_interval(name, size, 20 if size > 1 else 5))


def large_parameters(name, count):
    """Between -1 and 1, and beyond, real and complex, of integer degree."""
    random = np.random.default_rng([SEED, 7, len(name)])
    for k in range(count):
        x = of_argument(name, random.choice([random.uniform(1.1, 3), -random.uniform(1.1, 3)]))
        yield [float(random.integers(1, 20)), *parameters(random, name, 800), complex(x, 0.3) if k % 2 else x]


@COUNTS
@pytest.mark.parametrize("name", ["eval_gegenbauer", "eval_jacobi", "eval_sh_jacobi"])
def test_large_parameters(name, count):
    assert not misses(name, large_parameters(name, count), derivatives=False)


@COUNTS
def test_large_parameters_at_degrees_that_are_not_whole(count):
    random = np.random.default_rng([SEED, 11])

    def reference(n, a, b, x):
        end = mpmath.gammaprod([n + a + 1], [n + 1, a + 1])
        return end * mpmath.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)

    wrong = []
    with mpmath.workdps(60):
        for _ in range(count):
            args = [random.uniform(0, 20), *10 ** random.uniform(2.3, 3.5, 2), random.uniform(-0.5, 0.9)]
            if not checked(lambda args=args: special.eval_jacobi(*args), reference(*map(mpmath.mpf, args))):
                wrong.append(args)
    assert not wrong


@COUNTS
@pytest.mark.parametrize("name", ["eval_sh_chebyt", "eval_sh_chebyu", "eval_chebyt", "eval_chebyu"])
def test_next_to_the_end_of_the_interval(name, count):
    random = np.random.default_rng([SEED, 13])
    points = []
    for _ in range(count):
        distance = 10 ** random.uniform(-16, -6)
        points.append([float(random.integers(1, 40)), distance if "_sh_" in name else distance - 1])
    assert not misses(name, points)


@COUNTS
def test_legendre_functions_next_to_the_end_of_the_interval(count):
    random = np.random.default_rng([SEED, 17])

    def reference(m, v, x):
        """DLMF 14.3.4 for `m >= 0`, with the sign of Condon and Shortley, and 15.5.1 for the derivative."""
        z, half = (1 - x) / 2, mpmath.mpf(m) / 2
        factor = (-1) ** m * mpmath.gammaprod([v + m + 1], [v - m + 1]) / mpmath.mpf(2) ** m / mpmath.factorial(m)
        inner = mpmath.hyp2f1(m - v, m + v + 1, m + 1, z)
        rise = -(m - v) * (m + v + 1) / (2 * mpmath.mpf(m + 1)) * mpmath.hyp2f1(m - v + 1, m + v + 2, m + 2, z)
        square = 1 - x * x
        return factor * (square**half * rise - 2 * half * x * square ** (half - 1) * inner)

    wrong = []
    with mpmath.workdps(60):
        for _ in range(count):
            args = [float(random.integers(0, 4)), random.uniform(0.2, 6), 1 - 10 ** random.uniform(-14, -2)]
            exact = int(args[0]), mpmath.mpf(args[1]), mpmath.mpf(args[2])
            if not checked(derivative_in(special.lpmv, args, 2), reference(*exact)):
                wrong.append(args)
    assert not wrong


def end(n, a):
    """The value at 1, DLMF 18.6.1."""
    return mpmath.gammaprod([n + a + 1], [n + 1, a + 1])


def real_jacobi(n, a, b, x):
    """DLMF 15.9.1."""
    return end(n, a) * mpmath.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def real_gegenbauer(n, a, x):
    """DLMF 15.9.2."""
    return end(n, 2 * a - 1) * mpmath.hyp2f1(-n, n + 2 * a, a + 0.5, (1 - x) / 2)


def real_shifted_jacobi(n, p, q, x):
    return real_jacobi(n, p - q, q - 1, 2 * x - 1) / end(n, n + p - 1)


REAL_DEGREES = {
    "eval_gegenbauer": (real_gegenbauer, lambda r: (large(r),)),
    "eval_jacobi": (real_jacobi, lambda r: (large(r), large(r))),
    "eval_sh_jacobi": (real_shifted_jacobi, lambda r: (r.uniform(500, 900), r.uniform(100, 400))),
}


def large(random):
    """Up to 977: of derivatives it rises by 1, and beyond 1000 there is a warning."""
    return 10 ** random.uniform(2, 2.99)


def wrong_at(f, reference, args):
    """Which of the value, at -1, and of the derivatives are wrong; a warning is an error."""
    exact = [mpmath.mpmathify(t) for t in args]
    references = [reference(*exact), *(difference(reference, exact, i) for i in range(len(args)))]
    calls = [lambda: f(*args), *(derivative_in(f, args, i) for i in range(len(args)))]
    moved = sum(abs(t * w) for t, w in zip(exact, references[1:], strict=True)) / abs(references[0])
    room = BAR + 4 * float(moved) * np.finfo(float).eps
    found = [mpmath.mpmathify(float(call())) for call in calls]
    return [
        (args, i) for i, (w, x) in enumerate(zip(found, references, strict=True), -1) if not abs(w - x) <= room * abs(x)
    ]


@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", REAL_DEGREES)
def test_real_degrees_with_large_parameters(name, count):
    random = np.random.default_rng([SEED, 19, len(name)])
    reference, parameters = REAL_DEGREES[name]
    wrong = []
    with mpmath.workdps(DIGITS):
        for _ in range(count):
            x = random.uniform(-0.4, 0.8)
            args = (random.uniform(0, 20), *parameters(random), (x + 1) / 2 if "_sh_" in name else x)
            wrong += wrong_at(getattr(special, name), reference, args)
    assert not wrong


@COUNTS
def test_legendre_functions_right_of_1(count):
    random = np.random.default_rng([SEED, 23])
    wrong = []
    with mpmath.workdps(DIGITS):
        for _ in range(count):
            args = (random.uniform(-5, 20), 1 + 10 ** random.uniform(-3, 5))
            wrong += wrong_at(partial(special.lpmv, 0.0), lambda v, x: real_jacobi(v, 0, 0, x), args)
    assert not wrong
    assert np.isnan(special.lpmv([0.0, 1.0], 2.5, [-3.0, 3.0])).all()


@COUNTS
def test_shifted_polynomials_outside_of_the_domain_warn_where_the_argument_is_rounded(count):
    random = np.random.default_rng([SEED, 29])
    for _ in range(count):
        q = random.uniform(1, 4)
        args = (random.uniform(0, 3), q - 1 - random.uniform(0.1, 3), q, 10 ** random.uniform(-12, -6))
        with pytest.warns(special.SpecialFunctionWarning, match="lost digits"):
            special.eval_sh_jacobi(*args)


JACOBI_NEXT_TO_1 = [(n, b, x) for n in (0.0, 3.0, 40.0) for b in (0.7, -0.5, 5.0) for x in (1 - 1e-8, 1 - 1e-13)]


@pytest.mark.parametrize(("n", "b", "x"), JACOBI_NEXT_TO_1)
def test_derivatives_in_the_degree_next_to_1_are_right_relative_to_their_size(n, b, x):
    with mpmath.workdps(60):
        exact = mpmath.diff(lambda t: mpmath.hyp2f1(-t, t + b + 1, 1, (1 - mpmath.mpf(x)) / 2), n)
        assert checked(derivative_in(special.eval_jacobi, (n, 0.0, b, x), 0), exact)
        exact = mpmath.diff(lambda t: mpmath.legendre(t, mpmath.mpc(x, 1e-9)), n)
        assert checked(derivative_in(special.eval_legendre, (n, x + 1e-9j), 0), exact)


@COUNTS
@pytest.mark.parametrize("name", ["eval_gegenbauer", "eval_jacobi", "eval_sh_jacobi"])
def test_whole_degrees_left_of_the_domain(name, count):
    assert not misses(name, left_of_the_domain(name, 2 * count))


def test_left_of_the_domain_in_arrays():
    """Integers of any type, numbers beside vectors, and derivatives in the argument that have recurrences elsewhere."""
    a, b, x = -2 + 1e-9, 1.5, np.linspace(-1, 2, 5)
    found, derivative = jvp(lambda t: special.eval_jacobi(5, a, b, t), (x,), (np.ones(5),))
    columns = [np.array([5, 5, 3, 5, 5]), [0.5, a, a, 0.5, a], b]
    mixed = special.eval_jacobi(*columns, x)
    with mpmath.workdps(DIGITS):
        exact = [mpmath.mpf(t) for t in x]
        np.testing.assert_allclose(found, [float(jacobi(5, mpmath.mpf(a), b, t)) for t in exact], rtol=1e-14)
        derivatives = [float(difference(jacobi, (5, mpmath.mpf(a), b, t), 3)) for t in exact]
        np.testing.assert_allclose(derivative, derivatives, rtol=1e-13)
        values = [float(jacobi(n, mpmath.mpf(c), b, t)) for n, c, t in zip(*columns[:2], exact, strict=True)]
        np.testing.assert_allclose(mixed, values, rtol=1e-13)
    assert np.isnan(special.eval_jacobi(3.0, -2.0, np.nan, 0.3))
    assert special.eval_jacobi(np.float32(3), np.float32(-2), np.float32(1), np.float32(0.3)).dtype == np.float32


def test_left_of_the_domain_what_is_not_known_is_said():
    with pytest.raises(DifferentiationError):
        grad(grad(lambda a: special.eval_jacobi(5.0, a, 1.5, 0.3)))(-2 + 1e-9)
    with pytest.warns(special.SpecialFunctionWarning, match="beyond 150"):
        special.eval_jacobi(300.0, -2.5, 1.0, 0.3)


def laguerre(n, a, x):
    """DLMF 18.5.12 at real degrees."""
    return mpmath.hypercomb(lambda n, a, x: (([], [], [n + a + 1], [n + 1, a + 1], [-n], [a + 1], x),), [n, a, x])


@COUNTS
def test_laguerre_polynomials_left_of_the_domain(count):
    random = np.random.default_rng(SEED)
    wrong = []
    for _ in range(4 * count):
        n, whole, x = random.integers(0, 25), random.integers(1, 20), random.uniform(-8, 15)
        args = [float(n), -whole + random.choice([1.0, -1.0]) * 10 ** random.uniform(-9, 0), x]
        with mpmath.workdps(DIGITS):
            value = laguerre(*args)
            floor = abs(value)
            results = [lambda args=args: special.eval_genlaguerre(*args)]
            results += [derivative_in(special.eval_genlaguerre, args, i) for i in range(3)]
            exact = [value, *(difference(laguerre, args, i) for i in range(3))]
            for result, w in zip(results, exact, strict=True):
                try:
                    if not checked(result, w, BAR * float(floor / abs(w)) if w else 0.0):
                        wrong.append(args)
                except DifferentiationError:
                    pass
    assert not wrong


def test_most_derivatives_left_of_the_domain_are_there():
    for n, a, x in [(2.0, -29.5, 7.7), (6.0, -3.25, 2.0), (4.0, -2.0 + 1e-9, -1.0), (3.0, -2.0, 1.5), (0.0, -1.5, 4.0)]:
        with mpmath.workdps(DIGITS):
            exact = difference(laguerre, (n, a, x), 0)
            assert checked(derivative_in(special.eval_genlaguerre, (n, a, x), 0), exact)
