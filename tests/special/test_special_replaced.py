"""Functions whose better values stand in the place of SciPy's: every way to call them, edges of tables, limits."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import scipy.special

import special_draws
from wirtinger import grad, jvp, special, value_and_grad
from wirtinger.backends import num_threads
from wirtinger.special.ufuncs.patched_ufunc import PatchedUfunc
from wirtinger.special.wave_equations.parabolic.w import parabolic_w
from wirtinger.special.wave_equations.parabolic.w_table import parabolic_w_derivatives, parabolic_w_values

RANDOM = np.random.default_rng(5)
POINTS = np.concatenate(
    [RANDOM.uniform(-110, 110, 20), RANDOM.uniform(-12, 12, 20), [0.0, 2.0, 32.0, 64.0, 96.0, np.inf, -np.inf, np.nan]]
)
ORDERS = RANDOM.integers(1, 6, 48).astype(float)
ABOVE = ORDERS + RANDOM.integers(0, 6, 48)
MODES = ORDERS, ABOVE, RANDOM.uniform(0.5, 12, 48)
INSIDE, OUTSIDE = RANDOM.uniform(-1, 1, 48), RANDOM.uniform(1.1, 4, 48)
MATHIEU = ORDERS, RANDOM.uniform(-3, 3, 48), RANDOM.uniform(0, 2, 48)


def with_value(characteristic, m, n, c, x):
    return m, n, c, characteristic(m, n, c), x


SEVERAL = {
    **{f"mathieu_{name}": MATHIEU for name in ("cem", "sem", "modcem1", "modcem2", "modsem1", "modsem2")},
    **{f"{kind}_{name}": (*MODES, x) for kind in ("pro", "obl") for name, x in (("ang1", INSIDE), ("rad2", OUTSIDE))},
    **{
        f"pro_{name}_cv": with_value(scipy.special.pro_cv, *MODES, x)
        for name, x in (("ang1", INSIDE), ("rad2", OUTSIDE))
    },
    **{
        f"obl_{name}_cv": with_value(scipy.special.obl_cv, *MODES, x)
        for name, x in (("ang1", INSIDE), ("rad2", OUTSIDE))
    },
    "nctdtr": (RANDOM.uniform(0.5, 20, 48), RANDOM.uniform(-5, 9, 48), RANDOM.uniform(-5, 9, 48)),
    "pbdv": (RANDOM.uniform(-6, 6, 48), RANDOM.uniform(-50, 50, 48)),
    "pbvv": (RANDOM.uniform(-6, 6, 48), RANDOM.uniform(-50, 50, 48)),
    "pbwa": (RANDOM.uniform(-6, 6, 48), RANDOM.uniform(-6, 6, 48)),
    "besselpoly": (RANDOM.uniform(0.1, 100, 48), RANDOM.uniform(0, 3, 48), RANDOM.uniform(0, 9, 48)),
    "pseudo_huber": (10 ** RANDOM.uniform(-9, 9, 48), RANDOM.uniform(-9, 9, 48)),
    "hyperu": (RANDOM.uniform(-3, 9, 48), RANDOM.uniform(-3, 9, 48), RANDOM.uniform(-1, 30, 48)),
}


def has_patches_alone(f):
    return f.bounds is None and len(f.quick) == len(f.of_arrays) == 1


FUNCTIONS = {
    f.__name__: f
    for f in vars(special).values()
    if type(f) is PatchedUfunc and f.patches and (f.__name__ in SEVERAL or has_patches_alone(f))
}
OF_ONE = [name for name, f in FUNCTIONS.items() if f.ufunc.nin == 1]
ARGUMENTS = (
    {name: tuple(RANDOM.uniform(0.1, 9, (f.ufunc.nin, 48))) for name, f in FUNCTIONS.items()}
    | dict.fromkeys(OF_ONE, (POINTS,))
    | SEVERAL
)


def several(w):
    return w if isinstance(w, tuple) else (w,)


def assert_close(found, expected):
    for w, x in zip(several(found), several(expected), strict=True):
        np.testing.assert_allclose(w, x, rtol=1e-13, atol=3e-16)


def test_all_of_them_are_here():
    assert {"ker", "bei", "kelvin", "itairy", "itj0y0", "it2struve0", "modfresnelm", "pbwa"} <= set(FUNCTIONS)
    assert set(SEVERAL) <= set(FUNCTIONS)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_way_to_call_gives_the_same(name):
    f, args = FUNCTIONS[name], ARGUMENTS[name]
    whole = several(f(*args))
    alone = [several(f(*point)) for point in zip(*[x[-16:] for x in args], strict=True)]
    assert_close(tuple(w[-16:] for w in whole), tuple(np.array(parts) for parts in zip(*alone, strict=True)))
    square = several(f(*[np.asfortranarray(x.reshape(6, 8)) for x in args]))
    assert_close(tuple(w.reshape(-1) for w in square), whole)
    assert_close(f(*[np.repeat(x, 2)[::2] for x in args]), whole)
    assert_close(f(*args, out=tuple(np.empty_like(w) for w in whole)), whole)
    assert all(w.shape == (0, 2) for w in several(f(*[np.zeros((0, 2)) for _ in args])))
    assert all(np.ndim(w) == 0 for w in several(f(*[np.array(2.5) for _ in args])))
    if len(args) > 1:
        mixed = several(f(2.5, *[x[:, None] for x in args[1:]]))
        assert_close(tuple(w[:, 0] for w in mixed), f(np.full(48, 2.5), *args[1:]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_types_and_threads(name):
    f = FUNCTIONS[name]
    args = [x.astype(np.float32) for x in ARGUMENTS[name]]
    doubles = [x.astype(np.float64) for x in args]
    ours = [mask(*doubles) if mask else np.True_ for mask, _ in f.patches]
    inside = np.isfinite(sum(doubles)) & np.logical_or.reduce(ours)
    for w, x in zip(several(f(*args)), several(f(*doubles)), strict=True):
        assert w.dtype == (np.complex64 if x.dtype.kind == "c" else np.float32)
        with np.errstate(over="ignore"):
            np.testing.assert_allclose(w[inside], x[inside].astype(w.dtype), rtol=1e-6)
    large = [np.tile(x, 2500) for x in ARGUMENTS[name]] if f.ufunc.nin == 1 else ARGUMENTS[name]
    with num_threads(1):
        expected = f(*large)
    with num_threads(3):
        assert_close(f(*large), expected)


@pytest.mark.parametrize("name", OF_ONE)
@pytest.mark.parametrize("edge", [1.0, 2.0, 4.0, 20.0, 32.0, 64.0, 96.0])
def test_values_are_continuous_where_the_algorithm_changes(name, edge):
    for w in several(FUNCTIONS[name](np.array([np.nextafter(edge, -np.inf), np.nextafter(edge, np.inf)]))):
        assert abs(w[1] - w[0]) <= (2e-12 + 1e-15 * edge**2) * np.max(np.abs(w))


@pytest.mark.parametrize("x", [8.5, 10.5, 14.0, 31.5])
def test_kelvin_functions_keep_their_digits(x):
    """SciPy's lose six of them at 10, where its expansion begins."""
    with mp.workdps(30):
        turn = mp.expjpi(0.25)
        pairs = {
            ("ber", "bei"): mp.besseli(0, turn * x),
            ("berp", "beip"): turn * mp.besseli(1, turn * x),
            ("ker", "kei"): mp.besselk(0, turn * x),
            ("kerp", "keip"): -turn * mp.besselk(1, turn * x),
        }
    for (real, imaginary), expected in pairs.items():
        found = complex(getattr(special, real)(x), getattr(special, imaginary)(x))
        assert abs(found - complex(expected)) <= 1e-14 * abs(complex(expected))


@pytest.mark.parametrize("x", [2.0, 31.0, 33.1, 70.0])
def test_integrals_of_struve_functions_to_the_left(x):
    """H_0 is odd, so its integral is even; SciPy's is wrong below -30."""
    to_the_right, over_t = np.array([special.itstruve0(x), special.it2struve0(x)]), np.pi - special.it2struve0(-x)
    np.testing.assert_allclose([special.itstruve0(-x), over_t], to_the_right, rtol=1e-14)
    np.testing.assert_allclose(to_the_right[0], float(mp.quad(lambda t: mp.struveh(0, t), [0, x / 2, x])), rtol=1e-13)


@pytest.mark.parametrize("x", [5.0, 20.0, 70.0])
def test_integrals_of_bessel_functions(x):
    """DLMF 10.22.2; in the tables and beyond."""
    with mp.workdps(60):
        struve0, struve1 = mp.struveh(0, x), mp.struveh(1, x)
        expected = [
            x * f(0, x) + mp.pi * x / 2 * (f(1, x) * struve0 - f(0, x) * struve1) for f in (mp.besselj, mp.bessely)
        ]
    np.testing.assert_allclose(special.itj0y0(x), [float(w) for w in expected], rtol=1e-13)


def test_growing_parabolic_cylinder_functions_far_out():
    """The terms of the series go up to `exp(x**2 / 2)`, more than there is in double precision."""
    v, x = np.array([-2.3, 1.5, 0.4]), np.array([39.0, 39.9, 20.0])
    with mp.workdps(30):
        expected = [float(mp.pcfv(-p - 0.5, q)) for p, q in zip(v, x, strict=True)]
        derivative = float(mp.diff(lambda v: mp.pcfv(-v - 0.5, 39), -2.3))
    np.testing.assert_allclose(special.pbvv(v, x)[0], expected, rtol=1e-13)
    assert grad(lambda v: special.pbvv(v, 39.0)[0])(-2.3) == pytest.approx(derivative, rel=1e-13)


def test_derivatives_of_w_by_table_and_by_marching():
    a, x = (np.concatenate([RANDOM.uniform(-5, 5, 300), [-5.0, 5.0, 0.0]]) for _ in range(2))
    exact, in_a = jvp(lambda a: parabolic_w(a, x), (a,), (np.ones_like(a),))
    rate = np.sqrt(np.abs(a) + x * x / 4 + 0.5)
    size = np.hypot(exact[0], exact[1] / rate)
    size_in_a = size + np.hypot(in_a[0], in_a[1] / rate)
    for found, known, scale in ((parabolic_w_values, exact, size), (parabolic_w_derivatives, in_a, size_in_a)):
        value, derivative = found(a, x)
        assert np.max(np.abs(value - known[0]) / scale) < 1e-13
        assert np.max(np.abs(derivative - known[1]) / (scale * rate)) < 1e-13


def test_w_outside_of_the_table_and_twice():
    a, x = np.array([1.0, 6.0, -2.0]), np.array([2.0, 1.0, 7.0])
    np.testing.assert_array_equal(special.pbwa(a, x)[0][1:], scipy.special.pbwa(a, x)[0][1:])
    _, derivative = value_and_grad(lambda a: np.sum(special.pbwa(a, x[:1])[0]))(a[:1])
    once = grad(lambda a: special.pbwa(a, 2.0)[0])
    assert derivative[0] == pytest.approx(once(1.0), rel=1e-13)
    with mp.workdps(30):
        assert grad(once)(1.0) == pytest.approx(float(mp.diff(lambda a: mp.pcfw(a, 2), 1, 2)), rel=1e-11)


@pytest.mark.parametrize("z", [np.inf, -np.inf, complex(np.inf, 0), complex(-np.inf, -2), complex(0, np.inf)])
def test_derivatives_of_the_error_functions_vanish_at_infinity(z):
    with np.errstate(all="ignore"):
        assert jvp(special.wofz, (z,), (1.0,))[1] == 0
        assert np.isinf(z.imag) or jvp(special.dawsn, (z,), (1.0,))[1] == 0


@pytest.mark.parametrize("x", [np.float32(0.5), np.float32([0.5]), np.complex64([0.5j]), 0.5, np.float64([0.5])])
def test_the_type_of_wofz_is_scipys(x):
    assert special.wofz(x).dtype == scipy.special.wofz(x).dtype


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", special_draws.NAMES)
def test_single_precision_beside_numbers(name):
    """The dtype is SciPy's, of numbers, of arrays, and under differentiation."""
    f, scipys = getattr(special, name), getattr(scipy.special, name)
    args = [x[0] for x in special_draws.usual.arguments(name, 1)]
    continuous = special_draws.usual.continuous(name)
    numbers = [float(a) if k in continuous else int(a) for k, a in enumerate(args)]
    for i in continuous:
        kinds = [np.dtype(np.float32) if k == i else type(x) for k, x in enumerate(numbers)]
        dtypes = list(scipys.resolve_dtypes((*kinds, *[None] * f.nout))[f.nin :])

        def call(x, i=i):
            return several(f(*numbers[:i], x, *numbers[i + 1 :]))

        for x in (np.float32(args[i]), np.full(2, args[i], np.float32)):
            for outputs in (call(x), *jvp(call, (x,), (np.ones_like(x),))):
                assert [w.dtype for w in outputs] == dtypes
