"""Kinds of arguments at which binomial coefficients, Legendre and gamma functions were wrong: beside integers.

There the distance from an integer, or from 1, was rounded.  Each kind draws 5 points, in the exhaustive run 20,
`WIRTINGER_SEED` says which; a result is right to 1e-10 beside mpmath's, or comes with a warning.
"""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest
from test_special_kinds_polynomials import COUNTS, SMALLEST, checked, derivative_in
from test_special_kinds_tails import geometric

from special_draws import SEED
from wirtinger import hessian, jvp, special


def binomial(n, k):
    """By the reflection DLMF 5.5.3, with the sine of what is left of integers."""

    def sine(x):
        return mpmath.sin(mpmath.pi * mpmath.fmod(x, 2))

    if n > -1 and k > 0:
        return sine(k - n) / mpmath.pi * mpmath.exp(mpmath.loggamma(n + 1) + of_gammas(k - n, k + 1))
    if n > -1:
        return -sine(k) / mpmath.pi * mpmath.exp(mpmath.loggamma(n + 1) + of_gammas(-k, n - k + 1))
    if k > 0:
        return sine(n - k) / sine(n) * mpmath.exp(of_gammas(k - n, k + 1) - mpmath.loggamma(-n))
    return sine(k) / sine(n) * mpmath.exp(of_gammas(-k, n - k + 1) - mpmath.loggamma(-n))


def of_gammas(x, y):
    return mpmath.loggamma(x) - mpmath.loggamma(y)


DRAWN = {
    "positive": lambda random: random.uniform(0.1, 9),
    "small": lambda random: geometric(random, 1e-12, 1e-3),
    "half": lambda random: random.integers(0, 9) + 0.5,
    "between": lambda random: -random.uniform(0.01, 0.99),
    "negative": lambda random: -random.uniform(1.01, 9),
}
"""The upper one of a binomial coefficient."""


@COUNTS
@pytest.mark.parametrize("kind", DRAWN)
def test_binomial_coefficients_far_beyond(kind, count):
    random = np.random.default_rng([SEED, len(kind), 11])
    points = [(6.8185074566687085, 1.6167273059392274e32)] if kind == "positive" else []
    for _ in range(count):
        k = geometric(random, 1e3, 1e20)
        points.append((float(DRAWN[kind](random)), (np.rint(k) if kind == "half" else k) * random.choice([1.0, -1.0])))
    wrong = []
    with mpmath.workdps(250):
        step = mpmath.mpf(10) ** -60
        for args in points:
            n, k = (mpmath.mpf(float(t)) for t in args)
            if mpmath.fmod(k, 1) == 0 and k < 0 and n > -1:
                assert special.binom(*args) == 0
                continue
            if not checked(lambda args=args: special.binom(*args), binomial(n, k)):
                wrong.append((args, "value"))
            references = (
                (binomial(n + step, k) - binomial(n - step, k)) / (2 * step),
                (binomial(n, k + step) - binomial(n, k - step)) / (2 * step),
            )
            wrong += [
                (args, i)
                for i, reference in enumerate(references)
                if abs(reference) > SMALLEST and not checked(derivative_in(special.binom, args, i), reference)
            ]
    assert not wrong


def test_sines_of_whole_distances_are_zero():
    assert special.binom(3.0, 1e20) == 0
    assert special.binom(0.0, -1e20) == 0


def both_sides(random, low, high):
    return geometric(random, low, high) * random.choice([-1.0, 1.0])


BESIDE = {
    "the upper one": lambda random, n, k: (n + both_sides(random, 1e-14, 1e-2), k),
    "both": lambda random, n, k: (n + both_sides(random, 1e-14, 1e-2), k + both_sides(random, 1e-12, 1e-2)),
    "their difference": lambda random, n, k: (n + 0.3, k + 0.3 + both_sides(random, 1e-14, 1e-2)),
    "zero": lambda random, n, k: (both_sides(random, 1e-8, 1e-2), k),
}
"""What is next to an integer."""


@COUNTS
@pytest.mark.parametrize("kind", BESIDE)
def test_binomial_coefficients_next_to_integers(kind, count):
    random = np.random.default_rng([SEED, len(kind), 14])
    points = [(3.0000000000949583, 34.000000001157005)]
    for _ in range(count):
        n = int(random.integers(0, 60))
        points.append(BESIDE[kind](random, n, float(n + random.integers(1, 80))))
    wrong = []
    with mpmath.workdps(80):
        step = mpmath.mpf(10) ** -30
        for args in points:
            n, k = (mpmath.mpf(float(t)) for t in args)
            found = special.binom(*[np.array([t, 0.5]) for t in args])[0]
            assert found == special.binom(*args)
            if not checked(lambda args=args: special.binom(*args), binomial(n, k)):
                wrong.append((args, "value"))
            references = (
                (binomial(n + step, k) - binomial(n - step, k)) / (2 * step),
                (binomial(n, k + step) - binomial(n, k - step)) / (2 * step),
            )
            wrong += [
                (args, i) for i, w in enumerate(references) if not checked(derivative_in(special.binom, args, i), w)
            ]
    assert not wrong


DEGREES = [0.0, 0.3, 1.0, 1.5, 3.0, 7.25, 12.0]


@COUNTS
@pytest.mark.parametrize("name", ["lpmv", "eval_legendre"])
def test_derivatives_in_the_degree_next_to_1(name, count):
    random = np.random.default_rng([SEED, len(name), 15])
    before = [0.0] if name == "lpmv" else []
    f, wrong = getattr(special, name), []
    with mpmath.workdps(60):
        step = mpmath.mpf(10) ** -28
        for v in DEGREES:
            for x in (1 + both_sides(random, 1e-12, 1e-3) for _ in range(count)):
                z = (1 - mpmath.mpf(x)) / 2
                up, down = (mpmath.hyp2f1(-u, u + 1, 1, z) for u in (v + step, v - step))
                if not checked(derivative_in(f, [*before, v, x], len(before)), (up - down) / (2 * step)):
                    wrong.append((v, x))
    assert not wrong


def digamma(x):
    """Left of 0 by the reflection DLMF 5.5.4."""
    return mpmath.digamma(x) if mpmath.re(x) > 0 else mpmath.digamma(1 - x) - mpmath.pi * mpmath.cot(mpmath.pi * x)


def trigamma(x):
    """There."""
    return (mpmath.pi / mpmath.sin(mpmath.pi * x)) ** 2 - mpmath.polygamma(1, 1 - x)


@COUNTS
def test_beta_far_on_the_left(count):
    random = np.random.default_rng([SEED, 16])
    wrong = []
    with mpmath.workdps(60):
        for _ in range(count):
            args = -geometric(random, 1e3, 1e13) + random.random(), both_sides(random, 1e-3, 15)
            a, b = (mpmath.mpf(t) for t in args)
            w = mpmath.mpf(float(special.beta(*args)))  # within 1e-13, as other tests say
            for i, x in enumerate((a, b)):
                if not checked(derivative_in(special.beta, args, i), w * (digamma(x) - digamma(a + b))):
                    wrong.append((args, i))
    assert not wrong


@COUNTS
def test_complex_gamma_far_on_the_left(count):
    random = np.random.default_rng([SEED, 17])
    wrong = []
    with mpmath.workdps(60):
        for _ in range(count):
            x = complex(-geometric(random, 1e2, 1e15), both_sides(random, 1e-9, 30))
            z = mpmath.mpmathify(x)
            references = {"psi": trigamma(z), "loggamma": digamma(z)}
            if x.real > -300:
                value = mpmath.gamma(z)
                references |= {"gamma": value * digamma(z), "rgamma": -digamma(z) / value}
            wrong += [
                (name, x)
                for name, w in references.items()
                if not checked(derivative_in(getattr(special, name), [x], 0), w)
            ]
    assert not wrong


def voigt(x, sigma, gamma):
    z = (x + 1j * gamma) / (sigma * mpmath.sqrt(2))
    return mpmath.re(mpmath.exp(-z * z) * mpmath.erfc(-1j * z)) / (sigma * mpmath.sqrt(2 * mpmath.pi))


def power_transform(x, lmbda):
    return mpmath.expm1(lmbda * mpmath.log1p(x)) / lmbda


SECOND = {
    "voigt_profile": (voigt, lambda r: (r.uniform(-3, 3), geometric(r, 1e-12, 10), geometric(r, 1e-3, 10))),
    "boxcox1p": (power_transform, lambda r: (both_sides(r, 1e-20, 0.4), both_sides(r, 1e-2, 1e2))),
    "elliprg": (mpmath.elliprg, lambda r: (geometric(r, 1e-15, 1e-2), r.uniform(0.1, 9), r.uniform(0.1, 9))),
    "elliprg of close arguments": (mpmath.elliprg, lambda r: (1.3, 1.3 + geometric(r, 1e-9, 1), r.uniform(0.1, 9))),
}


@COUNTS
@pytest.mark.parametrize("label", SECOND)
def test_second_derivatives_next_to_what_is_simpler(label, count):
    """A profile next to Lorentz's, a power of what is nearly 1, an elliptic integral next to an elementary one."""
    random = np.random.default_rng([SEED, len(label), 18])
    (reference, draw), f, wrong = SECOND[label], getattr(special, label.split()[0]), []
    for args in (list(map(float, draw(random))) for _ in range(count)):
        with mpmath.workdps(80):
            for i, j in itertools.combinations_with_replacement(range(f.nin), 2):
                expected = second_difference(reference, args, i, j)
                for k, m in {(i, j), (j, i)}:

                    def first(t, k=k, m=m, args=args):
                        return derivative_in(f, [*args[:m], t, *args[m + 1 :]], k)()

                    if not checked(derivative_in(first, [args[m]], 0), expected):
                        wrong.append((args, k, m))
    assert not wrong


def second_difference(reference, args, i, j):
    """That of an analytic function, whose error is in proportion to the square of the step."""
    step = mpmath.mpf(10) ** -15

    def at(first, second):
        return reference(*[t * (1 + step * ((k == i) * first + (k == j) * second)) for k, t in enumerate(exact)])

    exact = [mpmath.mpf(t) for t in args]
    scale = step**2 * exact[i] * exact[j]
    if i == j:
        return (at(1, 0) - 2 * at(0, 0) + at(-1, 0)) / scale
    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * scale)


@COUNTS
def test_powers_of_what_is_nearly_1(count):
    random = np.random.default_rng([SEED, 19])
    with mpmath.workdps(40):
        for _ in range(count):
            x, exponent = both_sides(random, 1e-18, 0.3), random.uniform(-300, 300)
            args = [x, exponent / np.log1p(x)]
            reference = (1 + mpmath.mpf(x)) ** (mpmath.mpf(args[1]) - 1)
            assert checked(derivative_in(special.boxcox1p, args, 0), reference)


@pytest.mark.parametrize(("h", "a"), [(-3.79, -5.4e277), (-1.6e286, 2.9e254), (1e-200, 1e200)])
def test_second_derivatives_of_owens_t_far_out(h, a):
    found = hessian(lambda t: special.owens_t(*t))(np.array([h, a]))
    assert found[0, 1] == pytest.approx(found[1, 0], rel=1e-14)
    assert np.isfinite(found).all()


def test_widths_whose_square_overflows():
    assert jvp(lambda x: special.voigt_profile(x, 1.1e299, 4.5e290), (-3.9,), (1.0,))[1] == 0


@pytest.mark.parametrize("name", ["kl_div", "rel_entr"])
def test_divergences_have_no_derivative_at_the_origin(name):
    """In x: along (x, y) they grow as the function itself, which is not linear."""
    assert np.isnan(jvp(lambda x: getattr(special, name)(x, 0.0), (0.0,), (1.0,))[1])
    assert np.isnan(jvp(lambda x: getattr(special, name)(x, x), (0.0,), (1.0,))[1])
