"""Special functions in their degrees, orders and parameters at many digits, and how tests differentiate them."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import scipy.special

from wirtinger import jvp

SIGNS = {"pro": 1, "obl": -1}


def mixed_error(found, exact, value, parameter):
    """The error of a derivative, against it or the value per unit of the parameter."""
    return abs(found - exact) / (abs(exact) + abs(value) / max(1, abs(parameter)))


def derivative(f, point, i, order=1):
    """The derivative in one argument, in forward mode."""

    def g(x):
        return f(*point[:i], x, *point[i + 1 :])

    for _ in range(order):
        g = one_more(g)
    return complex(g(float(point[i])))


def one_more(g):
    return lambda x: jvp(g, (x,), (1.0,))[1]


def check(f, reference, point, i, tolerance, second=1e-8):
    """First and second derivative against differences of the reference at 50 digits."""
    with mp.workdps(50):
        exact = [mp.mpmathify(x) for x in point]

        def of_one(x):
            return reference(*exact[:i], x, *exact[i + 1 :])

        value, first, twice = (of_one(exact[i] + k * mp.mpf(10) ** -16) for k in (-1, 0, 1))
        first_derivative = complex((twice - value) * mp.mpf(10) ** 16 / 2)
        curvature = complex((twice - 2 * first + value) * mp.mpf(10) ** 32)
        value = complex(first)
    parameter = abs(point[i])
    assert mixed_error(derivative(f, point, i), first_derivative, value, parameter) <= tolerance
    if second:
        assert (
            mixed_error(derivative(f, point, i, 2), curvature, abs(first_derivative) + abs(value), parameter) <= second
        )


def jacobi(n, a, b, x):
    return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def of_one(f, args, i):
    return lambda t: f(*args[:i], t, *args[i + 1 :])


# parabolic cylinder functions


def parabolic_d(v, x):
    return mp.pcfd(v, x)


def parabolic_v(v, x):
    return mp.pcfv(-v - mp.mpf(1) / 2, x)


def parabolic_w(a, x):
    ratio = mp.sqrt(abs(mp.gamma(mp.mpc(0.25, a / 2)) / mp.gamma(mp.mpc(0.75, a / 2))))
    start = mp.mpf(2) ** -0.75 * ratio, -(mp.mpf(2) ** -0.25) / ratio
    c = [start[0], start[1], a * start[0] / 2, a * start[1] / 6]
    for k in range(2, 200):
        c.append((a * c[k] - c[k - 2] / 4) / ((k + 2) * (k + 1)))
    return mp.fsum(ck * x**k for k, ck in enumerate(c))


# Mathieu functions


def mathieu(m, q, even):
    """Characteristic value and coefficients, by Newton's iteration of the eigenvector."""
    p = m % 2 if even else 2 - m % 2
    count = 16 + m // 2 + int(2 * abs(q) ** 0.5)
    corner = q if even else -q
    diagonal = [mp.mpf((2 * k + p) ** 2) + (corner if p == 1 and k == 0 else 0) for k in range(count)]
    off = [q * mp.sqrt(2) if p == 0 and k == 0 else q for k in range(count - 1)]
    rough = np.diag(np.array(diagonal, float)) + np.diag(np.array(off, float), 1) + np.diag(np.array(off, float), -1)
    values, vectors = np.linalg.eigh(rough)
    n = (m - p) // 2
    a, v = mp.mpf(values[n]), [mp.mpf(x) for x in vectors[:, n]]
    for _ in range(3):
        v = tridiagonal_solution([d - a for d in diagonal], off, v)
        scale = mp.sqrt(mp.fsum(x * x for x in v))
        v = [x / scale for x in v]
        a = mp.fsum(d * x * x for d, x in zip(diagonal, v, strict=True))
        a += 2 * mp.fsum(e * x * y for e, x, y in zip(off, v, v[1:], strict=False))
    if p == 0:
        v[0] /= mp.sqrt(2)
    positive = mp.fsum(v) if even else mp.fsum((2 * k + p) * x for k, x in enumerate(v))
    return a, [x * mp.sign(positive) for x in v], p


def tridiagonal_solution(diagonal, off, right):
    diagonal, right = list(diagonal), list(right)
    for k, e in enumerate(off):
        factor = e / diagonal[k]
        diagonal[k + 1] -= factor * e
        right[k + 1] -= factor * right[k]
    solution = [right[-1] / diagonal[-1]]
    for k in range(len(off) - 1, -1, -1):
        solution.insert(0, (right[k] - off[k] * solution[0]) / diagonal[k])
    return solution


def radial_mathieu(even, bessel):
    def reference(m, q, x):
        _, v, p = mathieu(int(m), q, even)
        n = (int(m) - p) // 2
        small, large = mp.sqrt(q) * mp.exp(-x), mp.sqrt(q) * mp.exp(x)
        sign = 1 if even else -1
        total = mp.fsum(
            (-1) ** k
            * c
            * (
                mp.besselj(k - n, small) * bessel(k + n + p, large)
                + sign * mp.besselj(k + n + p, small) * bessel(k - n, large)
            )
            for k, c in enumerate(v)
        )
        return (-1) ** n * total / v[n] / (2 if p == n == 0 else 1)

    return reference


# spheroidal functions


def spheroidal(m, n, c, sign):
    """Characteristic value and coefficients up to a factor, at many digits."""
    p, count = (n - m) % 2, 24 + n // 2
    square = sign * c * c
    r = [2 * k + p for k in range(count)]
    diagonal = [
        (m + i) * (m + i + 1)
        + square * mp.mpf(2 * (m + i) * (m + i + 1) - 2 * m * m - 1) / ((2 * m + 2 * i - 1) * (2 * m + 2 * i + 3))
        for i in r
    ]
    upper = [
        square * mp.mpf((2 * m + i + 2) * (2 * m + i + 1)) / ((2 * m + 2 * i + 3) * (2 * m + 2 * i + 5)) for i in r
    ]
    lower = [square * mp.mpf(i * (i - 1)) / ((2 * m + 2 * i - 3) * (2 * m + 2 * i - 1)) for i in r]

    def mismatch(value):
        down, up = mp.mpf(0), mp.mpf(0)
        j = (n - m) // 2
        for k in range(j):
            down = -upper[k] * lower[k + 1] / (diagonal[k] - value + down)
        for k in range(count - 1, j, -1):
            up = -upper[k - 1] * lower[k] / (diagonal[k] - value + up)
        return diagonal[j] - value + down + up

    rough = float((scipy.special.pro_cv if sign == 1 else scipy.special.obl_cv)(m, n, float(c)))
    value = mp.findroot(mismatch, (mp.mpf(rough), mp.mpf(rough) * (1 + mp.mpf(10) ** -9) + mp.mpf(10) ** -12))
    j, down, up = (n - m) // 2, [], [mp.mpf(0)]
    for k in range(j):
        down.append(-upper[k] / (diagonal[k] - value + (lower[k] * down[k - 1] if k else 0)))
    for k in range(count - 1, j, -1):
        up.insert(0, -lower[k] / (diagonal[k] - value + upper[k] * up[0]))
    d = [mp.mpf(1)]
    for ratio in reversed(down):
        d.insert(0, ratio * d[0])
    for ratio in up[:-1]:
        d.append(ratio * d[-1])
    return value, d, p


def radial_spheroidal(sign, bessel):
    def reference(m, n, c, x):
        m, n = int(m), int(n)
        _, d, p = spheroidal(m, n, c, sign)
        weights = [a * mp.factorial(2 * m + 2 * k + p) / mp.factorial(2 * k + p) for k, a in enumerate(d)]
        terms = [
            (-1) ** (k - (n - m - p) // 2) * w * bessel(m + 2 * k + p + mp.mpf(1) / 2, c * x)
            for k, w in enumerate(weights)
        ]
        factor = (1 - sign / x**2) ** (mp.mpf(m) / 2) * mp.sqrt(mp.pi / (2 * c * x))
        return factor * mp.fsum(terms) / mp.fsum(weights)

    return reference
