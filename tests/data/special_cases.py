"""What the references of the special functions are made of: each function in mpmath's words, and where it is evaluated.

Ordinary and hard as in the accuracy page: orders -3 to 8 and -20 to 60, shape parameters 0.2 to 20 and 0.01 to 1000,
arguments up to about 10 and up to 300, probabilities 0.05 to 0.95 and down to 1e-6.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
from special_tails import lower_beta, lower_gamma, upper_beta, upper_gamma

CASES: list[Case] = []

Draw = Callable[[random.Random], Any]


@dataclass(frozen=True)
class Case:
    """One output of a function, for real or for complex arguments.

    Attributes
    ----------
    name : str
        As in `wirtinger.special`; "[1]" behind it is the second output, "(3)" says that an integer argument is 3, and
        " complex" that points or values are complex.
    value : callable
        In mpmath.
    ordinary, hard : sequence of callable
        For each argument, what draws it.
    listed : sequence of tuple
        Further hard points: zeros, poles, transitions, cuts.
    active : tuple of int
        The arguments that are differentiated.
    derivative : callable, optional
        `(i, args)` gives the derivative in argument `i`; by default a difference quotient with twice the digits.
    prepare : callable
        Maps the numbers drawn to a point.
    accepts : callable
        `(point, is_hard)` says whether a point is one of its kind; otherwise another one is drawn.
    """

    family: str
    name: str
    value: Callable[..., Any]
    ordinary: Sequence[Draw]
    hard: Sequence[Draw]
    listed: Sequence[tuple[Any, ...]] = ()
    active: tuple[int, ...] = ()
    derivative: Callable[[int, Sequence[Any]], Any] | None = None
    prepare: Callable[..., tuple[Any, ...]] = field(default=lambda *drawn: drawn)
    accepts: Callable[[Sequence[Any], bool], bool] = field(default=lambda point, is_hard: True)

    @property
    def is_complex(self) -> bool:
        return self.name.endswith(" complex")

    def first_derivative(self, i: int, args: Sequence[Any]) -> Any:
        if self.derivative is not None:
            return self.derivative(i, args)
        return mp.diff(lambda t: self.value(*args[:i], t, *args[i + 1 :]), args[i])


# what draws a number


def between(low: float, high: float) -> Draw:
    return lambda source: source.uniform(low, high)


def scales(low: float, high: float) -> Draw:
    """Between, evenly in the logarithm."""
    return lambda source: low * (high / low) ** source.random()


def either(*draws: Draw) -> Draw:
    return lambda source: source.choice(draws)(source)


def one_of(*numbers: Any) -> Draw:
    return lambda source: source.choice(numbers)


def negative(draw: Draw) -> Draw:
    return lambda source: -draw(source)


def signed(draw: Draw) -> Draw:
    return either(draw, negative(draw))


def whole(low: int, high: int) -> Draw:
    return lambda source: float(source.randint(low, high))


def half(low: int, high: int) -> Draw:
    return lambda source: source.randint(low, high) + 0.5


def plane(smallest: float, largest: float, phase: float = 3.1) -> Draw:
    """Complex numbers of every phase up to one."""
    return lambda source: complex(mp.rect(scales(smallest, largest)(source), source.uniform(-phase, phase)))


def near_cut(low: float, high: float) -> Draw:
    """Close to a part of the real axis, above and below."""
    return lambda source: complex(source.uniform(low, high), source.choice((-1e-9, 1e-9)))


ORDER, HARD_ORDER = between(-3, 8), either(between(-20, 60), whole(-10, 20), half(-10, 20))
SHAPE, HARD_SHAPE = between(0.2, 20), scales(0.01, 1000)
PART, HARD_PART = between(0.05, 0.95), either(scales(1e-6, 0.05), lambda s: 1 - scales(1e-6, 0.05)(s))
SIZE, HARD_SIZE = between(0.1, 10), either(scales(1e-6, 0.1), scales(10, 300))
REAL, HARD_REAL = signed(SIZE), signed(HARD_SIZE)


def of(family: str) -> Callable[..., None]:
    """What adds cases to a family."""

    def add(
        name: str, value: Any, ordinary: Any, hard: Any, active: tuple[int, ...] | None = None, **options: Any
    ) -> None:
        ordinary = ordinary if isinstance(ordinary, tuple) else (ordinary,)
        hard = hard if isinstance(hard, tuple) else (hard,)
        active = tuple(range(len(ordinary))) if active is None else active
        CASES.append(Case(family, name, value, ordinary, hard, active=active, **options))

    return add


def invert(
    add: Callable[..., None], name: str, function: Callable[..., Any], i: int, *where: Any, **options: Any
) -> None:
    """Add the inverse of a function in its argument `i`: what is drawn there is near the value that is sought.

    A point gets the function's value in its place, in double precision.  From what was drawn the value is found again
    with all digits, and implicit differentiation gives the derivatives.
    """
    prepare = options.get("prepare", lambda *drawn: drawn)
    accepts_too = options.get("accepts", lambda point, is_hard: True)
    roots: dict[tuple[Any, ...], Any] = {}

    def with_value(*drawn: Any) -> tuple[Any, ...]:
        drawn = prepare(*drawn)
        with mp.workdps(30):
            point = (*drawn[:i], float(function(*map(mp.mpf, drawn))), *drawn[i + 1 :])
        roots[point] = mp.mpf(drawn[i])
        return point

    def accepts(point: Sequence[Any], is_hard: bool) -> bool:
        least = 1e-5 if is_hard else 0.05
        return least <= point[i] <= 1 - least and accepts_too(point, is_hard)

    def value(*args: Any) -> Any:
        start = roots[tuple(float(x) for x in args)]
        return mp.findroot(lambda u: function(*args[:i], u, *args[i + 1 :]) / args[i] - 1, (start, start * (1 + 1e-9)))

    def derivative(k: int, args: Sequence[Any]) -> Any:
        root = [*args[:i], value(*args), *args[i + 1 :]]

        def partial(j: int) -> Any:
            return mp.diff(lambda t: function(*root[:j], t, *root[j + 1 :]), root[j])

        return 1 / partial(i) if k == i else -partial(k) / partial(i)

    add(name, value, *where, derivative=derivative, **{**options, "prepare": with_value, "accepts": accepts})


# elementary

add = of("elementary")
add("cbrt", lambda x: mp.sign(x) * mp.cbrt(abs(x)), REAL, HARD_REAL)
add("exp2", lambda x: mp.mpf(2) ** x, REAL, HARD_REAL)
add("exp10", lambda x: mp.mpf(10) ** x, REAL, signed(scales(1e-8, 250)))
add("expm1", mp.expm1, REAL, HARD_REAL)
add("expm1 complex", mp.expm1, plane(0.1, 5), either(plane(1e-6, 0.1), plane(5, 100)))
add("log1p", mp.log1p, SIZE, either(scales(1e-12, 1e12), lambda s: scales(1e-9, 0.1)(s) - 1))
add("log1p complex", mp.log1p, plane(0.1, 0.9), either(plane(1e-6, 0.1), plane(1.1, 100), near_cut(-9, -1.1)))
add("cosm1", lambda x: -2 * mp.sin(x / 2) ** 2, REAL, HARD_REAL)
add("expit", lambda x: 1 / (1 + mp.exp(-x)), REAL, HARD_REAL)
add("log_expit", lambda x: -mp.log1p(mp.exp(-x)), REAL, HARD_REAL)
add("logit", lambda p: mp.log(p / (1 - p)), PART, HARD_PART)
add("exprel", lambda x: mp.expm1(x) / x, REAL, HARD_REAL)
add("sindg", lambda x: mp.sin(mp.radians(x)), between(-180, 180), signed(scales(180, 1e6)))
add("cosdg", lambda x: mp.cos(mp.radians(x)), between(-180, 180), signed(scales(180, 1e6)))
add("tandg", lambda x: mp.tan(mp.radians(x)), between(-80, 80), signed(scales(100, 1e6)))
add("cotdg", lambda x: mp.cot(mp.radians(x)), between(5, 175), signed(scales(100, 1e6)))
add(
    "spence", lambda x: mp.polylog(2, 1 - x).real, SIZE, either(scales(1e-8, 0.1), between(0.99, 1.01), scales(10, 1e6))
)
add("spence complex", lambda z: mp.polylog(2, 1 - z), plane(0.2, 5), either(plane(5, 100), near_cut(-9, -0.1)))
add("wrightomega", lambda x: mp.lambertw(mp.exp(x)).real, REAL, signed(scales(1e-3, 200)))
add("lambertw complex", mp.lambertw, plane(0.1, 10), either(plane(1e-6, 0.1), plane(10, 1e6), near_cut(-9, -0.5)))
add("entr", lambda x: -x * mp.log(x), SIZE, HARD_SIZE)
add("rel_entr", lambda x, y: x * mp.log(x / y), (SIZE, SIZE), (HARD_SIZE, HARD_SIZE))
add("kl_div", lambda x, y: x * mp.log(x / y) - x + y, (SIZE, SIZE), (HARD_SIZE, HARD_SIZE))
add("pseudo_huber", lambda d, r: d**2 * (mp.sqrt(1 + (r / d) ** 2) - 1), (SIZE, REAL), (HARD_SIZE, HARD_REAL))
add("powm1", lambda x, y: x**y - 1, (SIZE, REAL), (HARD_SIZE, signed(scales(1e-8, 50))))
add("xlogy", lambda x, y: x * mp.log(y), (REAL, SIZE), (HARD_REAL, HARD_SIZE))
add("xlog1py", lambda x, y: x * mp.log1p(y), (REAL, SIZE), (HARD_REAL, HARD_SIZE))
POWER, HARD_POWER = signed(between(0.1, 5)), signed(either(scales(1e-9, 0.1), between(5, 30)))
add("boxcox", lambda x, a: (x**a - 1) / a, (SIZE, POWER), (HARD_SIZE, HARD_POWER))
add("boxcox1p", lambda x, a: mp.expm1(a * mp.log1p(x)) / a, (SIZE, POWER), (HARD_SIZE, HARD_POWER))
POSITIVE_POWER = (SIZE, between(0.1, 5)), (HARD_SIZE, either(scales(1e-9, 0.1), between(5, 30)))
add("inv_boxcox", lambda x, a: (1 + a * x) ** (1 / a), *POSITIVE_POWER)
add("inv_boxcox1p", lambda x, a: mp.expm1(mp.log1p(a * x) / a), *POSITIVE_POWER)
add("agm", mp.agm, (SIZE, SIZE), (HARD_SIZE, HARD_SIZE))

# gamma and beta

add = of("gamma")
LEFT = either(between(-20, -1e-3), lambda s: -s.randint(0, 10) + scales(1e-8, 1e-2)(s))
add("gamma", mp.gamma, SIZE, either(LEFT, scales(1e-8, 0.1), between(10, 160)))
add("gamma complex", mp.gamma, plane(0.5, 8), either(plane(8, 40), near_cut(-9.4, -0.1)))
add(
    "gammaln",
    lambda x: mp.log(abs(mp.gamma(x))),
    SIZE,
    either(LEFT, scales(1e-8, 0.1), scales(10, 1e8), one_of(1 + 1e-7, 2.0)),
)
add("loggamma", mp.loggamma, SIZE, either(scales(1e-8, 0.1), scales(10, 1e8)))
add("loggamma complex", mp.loggamma, plane(0.5, 8), either(plane(8, 300), near_cut(-9.4, -0.1)))
add("rgamma", mp.rgamma, REAL, either(LEFT, whole(-12, 0), scales(1e-8, 0.1), between(10, 160)))
add("rgamma complex", mp.rgamma, plane(0.5, 8), either(plane(8, 40), near_cut(-9.4, -0.1)))
add("digamma", mp.digamma, SIZE, either(LEFT, scales(1e-8, 0.1), scales(10, 1e8)), listed=[(1.4616321449683623,)])
add("digamma complex", mp.digamma, plane(0.5, 8), either(plane(8, 300), near_cut(-9.4, -0.1)))
for order in (1, 2, 5):
    add(f"polygamma({order})", lambda x, n=order: mp.polygamma(n, x), SIZE, either(scales(1e-6, 0.1), scales(10, 1e6)))
add("beta", mp.beta, (SIZE, SIZE), (scales(0.01, 100), scales(0.01, 100)))
LOG_BETA = (scales(0.01, 1000), scales(0.01, 1000))
add("betaln", lambda a, b: mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b), (SIZE, SIZE), LOG_BETA)
add("binom", mp.binomial, (between(1, 10), between(0.1, 5)), (between(10, 60), between(0.1, 9)))
add("poch", mp.rf, (SIZE, SIZE), (scales(0.01, 40), scales(0.01, 40)))
add("zeta(2)", mp.zeta, (between(1.1, 8), SIZE), (either(scales(1.0001, 1.1), between(8, 40)), scales(0.01, 300)))
add("zeta", mp.zeta, between(1.1, 8), either(scales(1.0001, 1.1), between(8, 50), between(-20, -0.1)))
add("zetac", lambda x: mp.zeta(x) - 1, between(1.1, 8), either(scales(1.0001, 1.1), between(8, 50), between(-20, -0.1)))

# error functions

add = of("error")
SIGMA = scales(0.01, 8)
add("erf", mp.erf, between(-3, 3), signed(either(scales(1e-8, 0.1), between(3, 8))))
add("erfc", mp.erfc, between(-3, 3), either(between(3, 24), negative(between(3, 8))))
add("erfi", mp.erfi, between(-3, 3), signed(either(scales(1e-8, 0.1), between(3, 24))))
add("erfcx", lambda x: mp.exp(x * x) * mp.erfc(x), between(-2, 9), either(scales(9, 1e5), between(-20, -2)))


def dawson(z: Any) -> Any:
    return mp.sqrt(mp.pi) / 2 * mp.exp(-z * z) * mp.erfi(z)


def faddeeva(z: Any) -> Any:
    return mp.exp(-z * z) * mp.erfc(-1j * z)


def normal(x: Any) -> Any:
    return mp.erfc(-x / mp.sqrt(2)) / 2


add("dawsn", dawson, REAL, signed(either(scales(1e-8, 0.1), between(10, 60))))
HARD_PLANE = either(plane(1e-4, 0.1), plane(4, 8))
add("erf complex", mp.erf, plane(0.1, 3), HARD_PLANE)
add("erfc complex", mp.erfc, plane(0.1, 3), HARD_PLANE)
add("erfi complex", mp.erfi, plane(0.1, 3), HARD_PLANE)
add("dawsn complex", dawson, plane(0.1, 3), HARD_PLANE)
add("wofz complex", faddeeva, plane(0.1, 4), either(plane(1e-4, 0.1), plane(4, 12)))
add("ndtr", normal, between(-4, 4), between(-30, -4))
add("log_ndtr", lambda x: mp.log(normal(x)), between(-4, 4), either(between(-40, -4), between(4, 10)))
add("erfinv", mp.erfinv, between(-0.95, 0.95), signed(either(scales(1e-8, 0.05), lambda s: 1 - scales(1e-6, 0.05)(s))))
add("erfcinv", lambda p: mp.erfinv(1 - p), between(0.05, 1.9), scales(1e-6, 0.05))
add("ndtri", lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), PART, HARD_PART)
FRESNEL = REAL, signed(either(scales(1e-6, 0.1), between(10, 40)))
add("fresnel[0]", mp.fresnels, *FRESNEL)
add("fresnel[1]", mp.fresnelc, *FRESNEL)


def voigt(x: Any, sigma: Any, gamma: Any) -> Any:
    return faddeeva((x + 1j * gamma) / (sigma * mp.sqrt(2))).real / (sigma * mp.sqrt(2 * mp.pi))


def voigt_derivative(i: int, args: Sequence[Any]) -> Any:
    x, sigma, gamma = args
    z = (x + 1j * gamma) / (sigma * mp.sqrt(2))
    w = faddeeva(z)
    first = 2j / mp.sqrt(mp.pi) - 2 * z * w
    second = -2 * w - 2 * z * first
    by_x = first.real / (2 * mp.sqrt(mp.pi) * sigma**2)
    by_sigma = second.real / (2 * mp.sqrt(2 * mp.pi) * sigma**2)
    by_gamma = -first.imag / (2 * mp.sqrt(mp.pi) * sigma**2)
    return (by_x, by_sigma, by_gamma)[i]


VOIGT = (between(-5, 5), between(0.3, 4), between(0.1, 4)), (signed(scales(0.01, 60)), SIGMA, scales(0.01, 8))
add("voigt_profile", voigt, *VOIGT, derivative=voigt_derivative)


def owen(h: Any, a: Any) -> Any:
    """Of large `a` by the reflection of Owen, Ann. Math. Stat. 27 (1956) 1075; in pieces up to what does not count."""
    h, sign, a = abs(h), mp.sign(a), abs(a)
    if a > 1:
        first, second = mp.ncdf(-h), mp.ncdf(-a * h)
        return sign * ((first + second) / 2 - first * second - owen(a * h, 1 / a))
    end = min(a, mp.sqrt(2 * mp.mp.dps * mp.log(10)) / h) if h else a
    pieces = mp.linspace(0, end, int(2 * end * max(h, 1)) + 2)
    total = mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), pieces, method="gauss-legendre")
    return sign * total / (2 * mp.pi)


def owen_derivative(i: int, args: Sequence[Any]) -> Any:
    h, a = args
    if i == 0:
        return -mp.npdf(h) * mp.erf(a * h / mp.sqrt(2)) / 2
    return mp.exp(-h * h * (1 + a * a) / 2) / (2 * mp.pi * (1 + a * a))


OWEN = (between(-4, 4), between(-3, 3)), (signed(scales(0.01, 10)), signed(scales(0.01, 10)))
add("owens_t", owen, *OWEN, derivative=owen_derivative)

# exponential integrals

add = of("exponential_integrals")
add("exp1", mp.e1, SIZE, HARD_SIZE)
add("exp1 complex", mp.e1, plane(0.2, 8), either(plane(1e-4, 0.2), plane(8, 60), near_cut(-20, -0.1)))
add("expi", mp.ei, REAL, HARD_REAL, listed=[(0.37250741078136663,)])
ORDERS = one_of(0.0, 1.0, 2.0, 3.0, 7.0, 20.0)
add("expn", mp.expint, (ORDERS, SIZE), (ORDERS, HARD_SIZE), (1,))
add("sici[0]", mp.si, REAL, HARD_REAL)
add("sici[1]", mp.ci, SIZE, HARD_SIZE)
add("shichi[0]", mp.shi, REAL, HARD_REAL)
add("shichi[1]", mp.chi, SIZE, HARD_SIZE)

# Bessel functions

add = of("bessel")
TRANSITION = [(v, float(x)) for v in (5.0, 20.3, 50.0) for x in (0.95 * v, v, 1.05 * v)]
ZEROS = [(0.0, 2.404825557695773), (1.0, 7.015586669815619), (0.5, 3.141592653589793)]
OF_ORDER = (ORDER, SIZE), (HARD_ORDER, either(scales(0.05, 1), between(10, 100), scales(100, 300)))


DIRECTIONS = [(k + mp.mpf(1) / 2) / 20 for k in range(20)]


def macdonald(v: Any, x: Any) -> Any:
    """K, at integer orders as its mean over a circle about the order: mpmath's limit is slow there."""
    if v != mp.floor(v):
        return mp.besselk(v, x)
    return mp.fsum(mp.re(mp.besselk(v + circle(x) * mp.expjpi(t), x)) for t in DIRECTIONS) / 20


def circle(x: Any) -> Any:
    """The radius of the circle: at tiny `x`, K changes as a power of it."""
    size = abs(mp.log(abs(x)))
    return mp.mpf(1) / 2 if size < 14 else 7 / size


def macdonald_derivative(i: int, args: Sequence[Any]) -> Any:
    """Of K, DLMF 10.29.1; in the order by Cauchy's integral, as difference quotients are slow at integers."""
    v, x = args
    if i == 1:
        return -(macdonald(v - 1, x) + macdonald(v + 1, x)) / 2
    radius = circle(x)
    return mp.fsum(mp.re(mp.besselk(v + radius * mp.expjpi(t), x) / mp.expjpi(t)) for t in DIRECTIONS) / (20 * radius)


def of_integer_order(n: Any, z: Any) -> Any:
    """K where |arg z| <= pi / 4: DLMF 10.31.1, or 10.40.2 by mpmath, or the trapezoidal rule for 10.32.9.

    Raises
    ------
    ValueError
        Left of 0.
    """
    if mp.re(z) < 0:
        raise ValueError
    if abs(z) < 1:
        return near_origin(int(abs(n)), z)
    if abs(z) > mp.mp.prec:
        return mp.besselk(n, z)
    h = mp.mpf(6) / mp.mp.prec
    total, u, term = mp.exp(-z) / 2, mp.mpf(0), mp.mpf(1)
    while abs(term) > mp.eps * abs(total):
        u += h
        term = mp.exp(-z * mp.cosh(u)) * mp.cosh(n * u)
        total += term
    return h * total


def near_origin(n: int, z: Any) -> Any:
    half = z / 2
    finite = mp.fsum(mp.factorial(n - k - 1) / mp.factorial(k) * (-half * half) ** k for k in range(n)) / 2
    log, total, k = mp.log(half), mp.mpf(0), 0
    term = half**n / mp.factorial(n)
    while abs(term) > mp.eps * abs(total):
        total += term * ((mp.psi(0, k + 1) + mp.psi(0, n + k + 1)) / 2 - log)
        k += 1
        term *= half * half / (k * (n + k))
    return finite / half**n + (-1) ** n * total


def scaled_macdonald_derivative(i: int, args: Sequence[Any]) -> Any:
    v, x = args
    return mp.exp(x) * (macdonald_derivative(i, args) + (macdonald(v, x) if i == 1 else 0))


for name, function in (("jv", mp.besselj), ("yv", mp.bessely), ("iv", mp.besseli)):
    add(name, function, *OF_ORDER, listed=TRANSITION + ZEROS)
add("kv", macdonald, *OF_ORDER, listed=TRANSITION, derivative=macdonald_derivative)
add("ive", lambda v, x: mp.exp(-x) * mp.besseli(v, x), *OF_ORDER)
add("kve", lambda v, x: mp.exp(x) * macdonald(v, x), *OF_ORDER, derivative=scaled_macdonald_derivative)
OF_PLANE = (ORDER, plane(0.2, 8)), (between(-10, 20), either(plane(8, 60), near_cut(-20, -0.5)))
for name, function in (("jv", mp.besselj), ("yv", mp.bessely), ("iv", mp.besseli), ("kv", mp.besselk)):
    add(f"{name} complex", function, *OF_PLANE)


def hankel(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Of the sum of J and i Y little is left far from the real axis: with three times the digits."""

    def value(v: Any, z: Any) -> Any:
        with mp.workprec(3 * mp.mp.prec):
            return function(v, z)

    return value


add("hankel1 complex", hankel(mp.hankel1), *OF_PLANE)
add("hankel2 complex", hankel(mp.hankel2), *OF_PLANE)
add("kve complex", lambda v, z: mp.exp(z) * mp.besselk(v, z), *OF_PLANE)


def of_order(n: int, first_derivative: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative in the argument of a function of fixed order."""
    return lambda i, args: first_derivative(1, (n, *args))


for order in (0, 1):
    add(f"j{order}", lambda x, n=order: mp.besselj(n, x), REAL, HARD_REAL)
    add(f"y{order}", lambda x, n=order: mp.bessely(n, x), SIZE, HARD_SIZE)
    add(f"i{order}", lambda x, n=order: mp.besseli(n, x), REAL, HARD_REAL)
    first_derivative, scaled_first_derivative = (
        of_order(order, macdonald_derivative),
        of_order(order, scaled_macdonald_derivative),
    )
    add(f"k{order}", lambda x, n=order: macdonald(n, x), SIZE, HARD_SIZE, derivative=first_derivative)
    add(f"i{order}e", lambda x, n=order: mp.exp(-abs(x)) * mp.besseli(n, x), REAL, HARD_REAL)
    add(
        f"k{order}e",
        lambda x, n=order: mp.exp(x) * macdonald(n, x),
        SIZE,
        HARD_SIZE,
        derivative=scaled_first_derivative,
    )
AIRY = (mp.airyai, lambda z: mp.airyai(z, 1), mp.airybi, lambda z: mp.airybi(z, 1))
for k, function in enumerate(AIRY):
    add(f"airy[{k}]", function, REAL, either(signed(scales(1e-6, 0.1)), between(-100, -10), between(10, 60)))
    add(f"airy[{k}] complex", function, plane(0.2, 6), either(plane(1e-3, 0.2), plane(6, 20)))
KELVIN = SIZE, either(scales(1e-3, 0.1), between(10, 60))
for name, function in (("ber", mp.ber), ("bei", mp.bei)):
    add(name, lambda x, f=function: f(0, x), *KELVIN)
for name, part in (("ker", mp.re), ("kei", mp.im)):  # DLMF 10.61.2

    def turned(x: Any, part: Any = part) -> Any:
        return part(of_integer_order(0, mp.expjpi(0.25) * x))

    def turned_derivative(i: int, args: Sequence[Any], part: Any = part) -> Any:
        return part(-mp.expjpi(0.25) * of_integer_order(1, mp.expjpi(0.25) * args[0]))

    add(name, turned, *KELVIN, derivative=turned_derivative)
STRUVE = (between(-3, 8), SIZE), (between(-10, 20), either(scales(0.05, 1), between(10, 60)))
add("struve", mp.struveh, *STRUVE)
add("modstruve", mp.struvel, *STRUVE)
for name, function in (("jn", mp.besselj), ("yn", mp.bessely), ("kn", mp.besselk)):

    def spherical(n: Any, x: Any, f: Any = function) -> Any:
        return mp.sqrt(mp.pi / (2 * x)) * f(n + mp.mpf(1) / 2, x)

    add(f"spherical_{name}", spherical, (whole(0, 6), SIZE), (whole(0, 30), between(10, 100)), (1,))

# elliptic integrals

add = of("elliptic")
MODULUS = (
    either(between(-5, 0), PART),
    either(lambda s: 1 - scales(1e-9, 0.05)(s), signed(scales(1e-9, 0.05)), between(-300, -5)),
)
add("ellipk", mp.ellipk, *MODULUS)
add("ellipe", mp.ellipe, *MODULUS)
add("ellipkm1", lambda p: mp.ellipk(1 - p), PART, either(scales(1e-20, 1e-6), scales(1e-6, 0.05)))
add("ellipkinc", mp.ellipf, (between(-1.5, 1.5), MODULUS[0]), (between(-10, 10), either(PART, scales(1e-9, 0.05))))
add("ellipeinc", mp.ellipe, (between(-1.5, 1.5), MODULUS[0]), (between(-10, 10), either(PART, scales(1e-9, 0.05))))
for k, letters in enumerate(("sn", "cn", "dn")):
    JACOBI = (between(-3, 3), PART), (signed(scales(1e-4, 20)), HARD_PART)
    add(f"ellipj[{k}]", lambda u, m, f=letters: mp.ellipfun(f, u, m=m), *JACOBI)
for name, function, count in (
    ("rf", mp.elliprf, 3),
    ("rc", mp.elliprc, 2),
    ("rd", mp.elliprd, 3),
    ("rg", mp.elliprg, 3),
):
    add(f"ellip{name}", function, (SIZE,) * count, (scales(1e-6, 1e6),) * count)
add("elliprj", mp.elliprj, (SIZE,) * 4, (scales(1e-4, 1e4),) * 4)

# hypergeometric and parabolic cylinder functions

add = of("hypergeometric")
PARAMETER, HARD_PARAMETER = between(-2.9, 8), between(-19.9, 30)
add("hyp0f1", mp.hyp0f1, (PARAMETER, REAL), (HARD_PARAMETER, signed(scales(10, 300))))
THREE = (PARAMETER, PARAMETER, REAL), (HARD_PARAMETER, HARD_PARAMETER, signed(scales(10, 100)))
add("hyp1f1", mp.hyp1f1, *THREE)
add("hyp1f1 complex", mp.hyp1f1, (PARAMETER, PARAMETER, plane(0.2, 6)), (PARAMETER, PARAMETER, plane(6, 40)))
FOUR = (
    (PARAMETER, PARAMETER, PARAMETER, between(-0.9, 0.9)),
    (*(between(-9.9, 15),) * 3, either(between(-30, -1), between(0.9, 0.999))),
)
add("hyp2f1", mp.hyp2f1, *FOUR)
add(
    "hyp2f1 complex",
    mp.hyp2f1,
    (*(PARAMETER,) * 3, plane(0.1, 0.9)),
    (*(PARAMETER,) * 3, either(plane(1.1, 10), near_cut(1.1, 9))),
)
add("hyperu", mp.hyperu, (PARAMETER, PARAMETER, SIZE), (between(-9.9, 30), between(-9.9, 30), scales(0.1, 100)))
CYLINDER = (between(-5, 5), between(-5, 5)), (between(-20, 20), between(-12, 12))
add("pbdv[0]", mp.pcfd, *CYLINDER)
add("pbvv[0]", lambda v, x: mp.pcfv(-v - mp.mpf(1) / 2, x), *CYLINDER)
add("pbwa[0]", mp.pcfw, (between(-5, 5), between(-5, 5)), (between(-5, 5), between(-5, 5)))


def wright(a: Any, b: Any, x: Any) -> Any:
    size = mp.gamma(b + 1)  # a sum of tiny terms would end too early
    return mp.nsum(lambda k: size * x**k * mp.rgamma(k + 1) * mp.rgamma(a * k + b), [0, mp.inf], method="d") / size


add(
    "wright_bessel",
    wright,
    (between(0.1, 4), between(0.1, 4), SIZE),
    (between(0.1, 8), scales(0.01, 10), scales(10, 50)),
)

# orthogonal polynomials

add = of("polynomials")
DEGREE = one_of(0.0, 1.0, 2.0, 3.0, 5.0, 8.0)
HARD_DEGREE = one_of(1.0, 10.0, 20.0, 40.0)
INSIDE, EDGE = (
    between(-0.95, 0.95),
    signed(either(lambda s: 1 - scales(1e-9, 0.05)(s), scales(1e-6, 0.05), between(1.01, 2))),
)
add("eval_chebyt", mp.chebyt, (DEGREE, INSIDE), (HARD_DEGREE, EDGE))
add("eval_chebyu", mp.chebyu, (DEGREE, INSIDE), (HARD_DEGREE, EDGE))
REAL_DEGREE = either(between(0.1, 8), DEGREE)
HARD_REAL_DEGREE = either(between(8, 40), HARD_DEGREE)
INNER = between(-0.95, 0.999)
LEGENDRE = (REAL_DEGREE, INSIDE), (HARD_REAL_DEGREE, INNER)
add("eval_legendre", mp.legendre, *LEGENDRE)
add(
    "eval_sh_legendre",
    lambda n, x: mp.legendre(n, 2 * x - 1),
    (REAL_DEGREE, PART),
    (HARD_REAL_DEGREE, between(0.01, 0.999)),
)
ALPHA = between(0.2, 4)
add("eval_gegenbauer", mp.gegenbauer, (REAL_DEGREE, ALPHA, INSIDE), (HARD_REAL_DEGREE, ALPHA, INNER))


def jacobi(n: Any, a: Any, b: Any, x: Any) -> Any:
    """DLMF 18.5.7 at real degrees; at whole `a` mpmath's is that of `b, a, -x`, another function."""

    def terms(n: Any, a: Any, b: Any, x: Any) -> Any:
        return (([], [], [a + n + 1], [n + 1, a + 1], [-n, a + b + n + 1], [a + 1], (1 - x) / 2),)

    return mp.hypercomb(terms, [n, a, b, x])


add("eval_jacobi", jacobi, (REAL_DEGREE, ALPHA, ALPHA, INSIDE), (HARD_REAL_DEGREE, ALPHA, ALPHA, INNER))
LAGUERRE = (REAL_DEGREE, ALPHA, SIZE), (HARD_REAL_DEGREE, between(-0.9, 20), scales(0.01, 60))
add("eval_genlaguerre", mp.laguerre, *LAGUERRE)
add("eval_laguerre", lambda n, x: mp.laguerre(n, 0, x), (REAL_DEGREE, SIZE), (HARD_REAL_DEGREE, scales(0.01, 60)))
add("eval_hermite", mp.hermite, (DEGREE, between(-4, 4)), (HARD_DEGREE, signed(scales(0.01, 20))), (1,))


def hermite_he(n: Any, x: Any) -> Any:
    return mp.mpf(2) ** (-n / 2) * mp.hermite(n, x / mp.sqrt(2))


add("eval_hermitenorm", hermite_he, (DEGREE, between(-4, 4)), (HARD_DEGREE, signed(scales(0.01, 20))), (1,))
ASSOCIATED = (whole(0, 3), between(3.1, 8), INSIDE), (whole(0, 6), between(6.1, 30), INNER)


def associated(m: Any, v: Any, x: Any) -> Any:
    """DLMF 14.3.1 with 15.8.1, and the sign of Condon and Shortley."""
    factor = mp.rf(v - m + 1, 2 * m) * (1 - x * x) ** (m / 2) / ((-2) ** m * mp.factorial(m))
    return factor * mp.hyp2f1(m - v, m + v + 1, m + 1, (1 - x) / 2)


add("lpmv", associated, *ASSOCIATED, active=(1, 2))

# incomplete gamma and beta functions and the distributions made of them

add = of("incomplete")


def around(a: float, u: float) -> tuple[float, float]:
    """A shape, and an argument about the mean: `u` of -1 to 1 spans six deviations."""
    return a, a * max(1 + 6 * u / a**0.5, 0.01 * (1.1 + u))


SPREAD = (between(0.2, 20), between(-1, 1)), (HARD_SHAPE, between(-1, 1))
add("gammainc", lower_gamma, *SPREAD, prepare=around)
add("gammaincc", upper_gamma, *SPREAD, prepare=around)
add("chdtr", lambda v, x: lower_gamma(v / 2, x / 2), *SPREAD, prepare=around)
add("chdtrc", lambda v, x: upper_gamma(v / 2, x / 2), *SPREAD, prepare=around)
THREE = (between(0.2, 5), between(0.2, 8), between(0.2, 3)), (scales(0.05, 20), scales(0.05, 20), scales(0.05, 10))
add("gdtr", lambda a, b, x: lower_gamma(b, a * x), *THREE)
add("gdtrc", lambda a, b, x: upper_gamma(b, a * x), *THREE)
BETA = (between(0.2, 20), between(0.2, 20), PART), (scales(0.01, 300), scales(0.01, 300), either(PART, HARD_PART))
add("betainc", lower_beta, *BETA)
add("betaincc", upper_beta, *BETA)
FISHER = (between(0.5, 20), between(0.5, 20), between(0.1, 5)), (scales(0.1, 200), scales(0.1, 200), scales(0.01, 30))
add("fdtr", lambda m, n, x: lower_beta(m / 2, n / 2, m * x / (m * x + n)), *FISHER)
add("fdtrc", lambda m, n, x: upper_beta(m / 2, n / 2, m * x / (m * x + n)), *FISHER)


def student(df: Any, t: Any) -> Any:
    tail = lower_beta(df / 2, mp.mpf(1) / 2, df / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


add("stdtr", student, (between(0.3, 20), between(-6, 6)), (scales(0.1, 1000), signed(scales(0.01, 30))))
add("pdtr", lambda k, m: upper_gamma(k + 1, m), (whole(0, 10), SIZE), (whole(0, 60), scales(0.01, 100)), (1,))
COUNTS = (whole(0, 8), PART), (whole(0, 8), HARD_PART)
add("bdtr(20)", lambda k, p: lower_beta(20 - k, k + 1, 1 - p), *COUNTS, active=(1,))
add("nbdtr(4)", lambda k, p: lower_beta(mp.mpf(4), k + 1, p), *COUNTS, active=(1,))


def noncentral_chi(x: Any, df: Any, nc: Any) -> Any:
    weight = mp.exp(-nc / 2)
    total, j = mp.mpf(0), 0
    while j < nc or weight > mp.eps * 1e-30:
        total += weight * lower_gamma(df / 2 + j, x / 2)
        j += 1
        weight *= nc / (2 * j)
    return total


CHI = (between(0.5, 20), between(0.5, 10), between(0.2, 10)), (scales(0.1, 60), scales(0.1, 40), scales(0.01, 40))
add("chndtr", noncentral_chi, *CHI)


def kolmogorov(x: Any) -> Any:
    if x <= 0:
        return mp.mpf(1)
    return 2 * mp.nsum(lambda k: (-1) ** (int(k) - 1) * mp.exp(-2 * k * k * x * x), [1, mp.inf], method="d")


add("kolmogorov", kolmogorov, between(0.3, 2), either(scales(0.15, 0.3), between(2, 8)))


def smirnov(n: int) -> Callable[[Any], Any]:
    def value(d: Any) -> Any:
        terms = (
            mp.binomial(n, v) * (d + mp.mpf(v) / n) ** (v - 1) * (1 - d - mp.mpf(v) / n) ** (n - v)
            for v in range(int(mp.floor(n * (1 - d))) + 1)
        )
        return d * mp.fsum(terms)

    return value


for count in (3, 20):
    add(f"smirnov({count})", smirnov(count), between(0.03, 0.9), either(scales(1e-3, 0.03), between(0.9, 0.999)))

# inverses

add = of("inverses")
MIDDLE = (between(0.3, 20), between(-0.5, 0.5)), (scales(0.05, 300), between(-0.7, 0.6))
invert(add, "gammaincinv", lower_gamma, 1, *MIDDLE, prepare=around)
invert(add, "gammainccinv", upper_gamma, 1, *MIDDLE, prepare=around)
invert(add, "chdtri", lambda v, x: upper_gamma(v / 2, x / 2), 1, *MIDDLE, prepare=around)
invert(add, "chdtriv", lambda v, x: lower_gamma(v / 2, x / 2), 0, *MIDDLE, prepare=around)
invert(add, "pdtri", lambda k, m: upper_gamma(k + 1, m), 1, (whole(0, 10), SIZE), (whole(0, 60), scales(1, 60)), (1,))
invert(add, "pdtrik", lambda k, m: upper_gamma(k + 1, m), 0, (between(0.3, 8), SIZE), (scales(0.1, 40), scales(1, 40)))
RATES = (between(0.2, 5), between(0.3, 8), between(0.3, 2)), (scales(0.05, 5), scales(0.1, 20), scales(0.1, 10))
for name, k in (("gdtria", 0), ("gdtrib", 1), ("gdtrix", 2)):
    invert(add, name, lambda a, b, x: lower_gamma(b, a * x), k, *RATES)
BETAS = (between(0.3, 15), between(0.3, 15), between(0.2, 0.8)), (scales(0.05, 60), scales(0.05, 60), between(0.1, 0.9))
for name, k in (("btdtria", 0), ("btdtrib", 1), ("betaincinv", 2)):
    invert(add, name, lower_beta, k, *BETAS)
invert(add, "betainccinv", upper_beta, 2, *BETAS)


def fisher(m: Any, n: Any, x: Any) -> Any:
    return lower_beta(m / 2, n / 2, m * x / (m * x + n))


VARIANCES = (between(0.5, 20), between(0.5, 20), between(0.3, 3)), (scales(0.2, 100), scales(0.2, 100), scales(0.1, 5))
invert(add, "fdtri", fisher, 2, *VARIANCES)
EXCEEDING = (between(0.5, 20), between(0.5, 20), between(1.5, 3)), (scales(0.2, 100), scales(0.2, 100), scales(1.2, 5))
invert(add, "fdtridfd", fisher, 1, *EXCEEDING)
MEANS = (between(0.5, 20), between(-4, 4)), (scales(0.2, 300), between(-8, 5))
invert(add, "stdtrit", student, 1, *MEANS)
invert(add, "stdtridf", student, 0, *MEANS)
TRIALS = (between(0.5, 6), between(7, 15), PART), (between(0.1, 20), between(21, 60), between(0.05, 0.9))
invert(add, "bdtrik", lambda k, n, p: lower_beta(n - k, k + 1, 1 - p), 0, *TRIALS)
invert(add, "bdtrin", lambda k, n, p: lower_beta(n - k, k + 1, 1 - p), 1, *TRIALS)
FAILURES = (between(0.5, 6), between(0.5, 6), PART), (between(0.1, 20), between(0.5, 20), between(0.1, 0.9))
invert(add, "nbdtrik", lambda k, n, p: lower_beta(n, k + 1, p), 0, *FAILURES)
invert(add, "nbdtrin", lambda k, n, p: lower_beta(n, k + 1, p), 1, *FAILURES)
