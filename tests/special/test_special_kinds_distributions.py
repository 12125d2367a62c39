"""Kinds of arguments at which functions of the beta family and quantiles were wrong: values and derivatives there.

Each kind draws 5 points, in the exhaustive run 20, `WIRTINGER_SEED` says which; a result is right to 1e-10 beside
mpmath's, or comes with a warning.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from test_special_kinds_polynomials import COUNTS, SMALLEST, checked, derivative_in

from special_draws import SEED
from wirtinger import jvp, special


def digammas(a, b):
    """`digamma(a) - digamma(a + b)`, of tiny arguments without cancellation."""
    return mpmath.digamma(a) - mpmath.digamma(a + b)


FAMILY = {
    "betaln": (lambda a, b: mpmath.log(mpmath.beta(a, b)), [digammas, lambda a, b: digammas(b, a)]),
    "beta": (
        mpmath.beta,
        [lambda a, b: mpmath.beta(a, b) * digammas(a, b), lambda a, b: mpmath.beta(a, b) * digammas(b, a)],
    ),
    "poch": (
        mpmath.rf,
        [lambda z, m: -mpmath.rf(z, m) * digammas(z, m), lambda z, m: mpmath.rf(z, m) * mpmath.digamma(z + m)],
    ),
    "gammaln": (mpmath.loggamma, [mpmath.digamma]),
    "rgamma": (mpmath.rgamma, [lambda z: -mpmath.rgamma(z) * mpmath.digamma(z)]),
}


@COUNTS
@pytest.mark.parametrize("name", FAMILY)
def test_tiny_arguments(name, count):
    random = np.random.default_rng([SEED, len(name)])
    value, derivatives = FAMILY[name]
    f, wrong = getattr(special, name), []
    for _ in range(count):
        args = list(10 ** -random.uniform(5, 200, len(derivatives)))
        with mpmath.workdps(450):
            exact = [mpmath.mpf(x) for x in args]
            if not checked(lambda args=args: f(*args), value(*exact)):
                wrong.append((args, "value"))
            wrong += [(args, i) for i, s in enumerate(derivatives) if not checked(derivative_in(f, args, i), s(*exact))]
    assert not wrong


def tail(a, b, x, y):
    """`betainc(a, b, x)` at `y = 1 - x`, DLMF 8.17.8."""
    return x**a * y**b * mpmath.hyp2f1(1, a + b, a + 1, x) / (a * mpmath.beta(a, b))


def quantile(a, b, p):
    """`x` and `1 - x` where the lower tail is `p`, by halving the interval of the logarithm of the odds."""
    low, high = mpmath.mpf(-690), mpmath.mpf(690)
    for _ in range(150):
        middle = (low + high) / 2
        x, y = 1 / (1 + mpmath.exp(-middle)), 1 / (1 + mpmath.exp(middle))
        is_low = tail(a, b, x, y) < p if middle < 0 else 1 - tail(b, a, y, x) < p
        low, high = (middle, high) if is_low else (low, middle)
    return x, y


def derivatives_of_quantile(a, b, x, y):
    """The derivatives in both shapes and in the lower tail."""
    density = x ** (a - 1) * y ** (b - 1) / mpmath.beta(a, b)
    step = mpmath.mpf(10) ** -14

    def in_shape(da, db):
        up, down = ((a + s * da, b + s * db) for s in (step, -step))
        if x < 0.5:
            return (tail(*up, x, y) - tail(*down, x, y)) / (2 * step)
        return (tail(*reversed(down), y, x) - tail(*reversed(up), y, x)) / (2 * step)

    return [-in_shape(1, 0) / density, -in_shape(0, 1) / density, 1 / density]


@COUNTS
@pytest.mark.parametrize("name", ["betaincinv", "betainccinv"])
def test_quantiles_far_in_the_tails_and_next_to_the_ends(name, count):
    random = np.random.default_rng([SEED, len(name)])
    f, is_upper, wrong = getattr(special, name), name == "betainccinv", []
    with mpmath.workdps(45):
        for k in range(count):
            shapes = list(10 ** random.uniform(-1.5, 2, 2))
            p = 10 ** -random.uniform(10, 200) if k % 2 else 1 - 10 ** -random.uniform(2, 9)
            a, b, exact = (mpmath.mpf(t) for t in (*shapes, p))
            if (exact < 0.5) != is_upper:
                x, y = quantile(a, b, 1 - exact if is_upper else exact)
            else:
                y, x = quantile(b, a, exact if is_upper else 1 - exact)
            if x < 1e-290:
                continue
            da, db, dp = derivatives_of_quantile(a, b, x, y)
            args = [*shapes, p]
            if not checked(lambda args=args: f(*args), x):
                wrong.append((args, "value"))
            for i, reference in enumerate((da, db, -dp if is_upper else dp)):
                if not checked(derivative_in(f, args, i), reference):
                    wrong.append((args, i))
    assert not wrong


COUNTED = {
    "bdtri": lambda n, k: ((k, n), (k + 1, n - k), True),
    "nbdtri": lambda n, k: ((k, n), (n, k + 1), False),
}
"""The arguments, the shapes, and whether `p` is the upper tail, of a count and a smaller one."""


@COUNTS
@pytest.mark.parametrize("name", COUNTED)
def test_quantiles_of_counts(name, count):
    random = np.random.default_rng([SEED, len(name)])
    f, wrong = getattr(special, name), []
    with mpmath.workdps(45):
        for k in range(count):
            n = int(random.integers(2, 40))
            counts, shapes, is_upper = COUNTED[name](n, int(random.integers(0, n)))
            p = 10 ** -random.uniform(10, 200) if k % 2 else 1 - 10 ** -random.uniform(2, 15)
            a, b, exact = (mpmath.mpf(t) for t in (*shapes, p))
            if (exact < 0.5) != is_upper:
                x, y = quantile(a, b, 1 - exact if is_upper else exact)
            else:
                y, x = quantile(b, a, exact if is_upper else 1 - exact)
            derivative = mpmath.beta(a, b) / (x ** (a - 1) * y ** (b - 1))
            args = [*counts, p]
            if not checked(lambda args=args: f(*args), x):
                wrong.append((args, "value"))
            if not checked(derivative_in(f, args, 2), -derivative if is_upper else derivative):
                wrong.append((args, 2))
    assert not wrong


@COUNTS
def test_tiny_shapes_of_the_beta_distribution(count):
    """DLMF 8.17.7; of a tiny `b` the derivative in `a` is in proportion to it."""
    random = np.random.default_rng([SEED, 29])
    points = [(2.46e-300, 3.80e-38, 0.379)]
    points += [
        (random.uniform(0.1, 9), 10 ** -random.uniform(50, 280), random.uniform(0.05, 0.5)) for _ in range(count)
    ]
    wrong = []
    for args in points:
        with mpmath.workdps(400):
            exact = [mpmath.mpf(t) for t in args]

            def lower(a, b, x):
                return tail(a, b, x, 1 - x)

            for i in (0, 1):
                step = exact[i] * mpmath.mpf(10) ** -20
                up, down = ([*exact[:i], exact[i] + h, *exact[i + 1 :]] for h in (step, -step))
                derivative = (lower(*up) - lower(*down)) / (2 * step)
                for f, reference in ((special.betainc, derivative), (special.betaincc, -derivative)):
                    if not checked(derivative_in(f, list(args), i), reference):
                        wrong.append((f, args, i))
    assert not wrong


def fisher(dfn, dfd, x):
    """Both tails."""
    odds = dfn * x / dfd
    a, b, inside, outside = dfn / 2, dfd / 2, odds / (1 + odds), 1 / (1 + odds)
    return tail(a, b, inside, outside), tail(b, a, outside, inside)


def student(df, t):
    upper = tail(df / 2, mpmath.mpf(1) / 2, df / (df + t * t), t * t / (df + t * t)) / 2
    return 1 - upper, upper


def binomial(k, n, p):
    return tail(n - k, k + 1, 1 - p, p), tail(k + 1, n - k, p, 1 - p)


SHAPES = {
    "fdtridfd": (fisher, 1, lambda u: [u(20, 40), u(18, 30), u(20, 40)], True),
    "stdtridf": (student, 0, lambda u: [u(60, 200), u(6.5, 7.3)], True),
    "bdtrin": (binomial, 1, lambda u: [u(1, 20), u(350, 450), u(0.7, 0.9)], False),
}
"""Both tails, which argument is sought, what is drawn, and whether the upper tail is the small one."""


@COUNTS
@pytest.mark.parametrize("name", SHAPES)
def test_shapes_far_in_a_tail(name, count):
    random = np.random.default_rng([SEED, 31])
    tails, at, draw, is_upper = SHAPES[name]
    f, wrong = getattr(special, name), []
    with mpmath.workdps(90):
        for _ in range(count):
            point = [mpmath.mpf(t) for t in draw(random.uniform)]
            p = float(tails(*point)[0])
            if p == 1 or p < SMALLEST:
                continue
            target = 1 - mpmath.mpf(p) if is_upper else mpmath.mpf(p)

            def miss(u, point=point, target=target):
                return mpmath.log(tails(*point[:at], u, *point[at + 1 :])[is_upper] / target)

            root = mpmath.findroot(miss, (point[at], point[at] * 1.001))
            derivative = (-1 if is_upper else 1) / (target * mpmath.diff(miss, root))
            args = [float(t) for t in point]
            args = [p, args[1]] if name == "stdtridf" else [*args[:at], p, *args[at + 1 :]]
            where = args.index(p)
            if not checked(lambda args=args: f(*args), root):
                wrong.append((args, "value"))
            if not checked(derivative_in(f, args, where), derivative):
                wrong.append((args, where))
    assert not wrong


def test_second_derivative_of_a_quantile_next_to_1():
    """`x = 1 - (1 - p)**(1 / b)` at `a = 1`; in the upper tail `p` it is `1 - p**(1 / b)`."""
    b, p = 0.02, 1e-3

    def derivative(t):
        return jvp(lambda s: special.betainccinv(1.0, b, s), (t,), (1.0,))[1]

    first, second = jvp(derivative, (p,), (1.0,))
    np.testing.assert_allclose(first, -(p ** (1 / b - 1)) / b, rtol=1e-10)
    np.testing.assert_allclose(second, -(1 / b - 1) * p ** (1 / b - 2) / b, rtol=1e-10)


@COUNTS
def test_smirnov_quantiles_next_to_1(count):
    """Up to `p = n**-n` it is `1 - p**(1 / n)`."""
    random = np.random.default_rng([SEED, 23])
    wrong = []
    for _ in range(count):
        n = int(random.integers(1, 40))
        p = float(n) ** -n * 10 ** -random.uniform(0.1, 100)
        with mpmath.workdps(40):
            root = mpmath.mpf(p) ** (mpmath.mpf(1) / n)
            if not checked(derivative_in(special.smirnovi, [n, p], 1), -root / (n * mpmath.mpf(p))):
                wrong.append((n, p))
    assert not wrong


ENDS = [0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 0.5, 1.0, 2.0]


@COUNTS
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "name", ["ncfdtr", "ncfdtri", "fdtr", "betainc", "betaincinv", "betainccinv", "stdtr", "nctdtr"]
)
def test_ends_and_what_is_beyond_raise_nothing_of_pythons(name, count):
    random = np.random.default_rng([SEED, len(name)])
    f = getattr(special, name)
    for _ in range(count):
        args = [float(x) for x in random.choice(ENDS, f.nin)]
        for i in range(f.nin):
            assert isinstance(derivative_in(f, args, i)(), float)


def test_no_centrality_without_degrees():
    """At `dfn = 0` there is no value, and no derivative."""
    assert np.isnan(jvp(lambda nc: special.ncfdtr(0.0, 3.0, nc, 2.0), (0.5,), (1.0,))[1])
