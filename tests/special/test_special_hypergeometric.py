"""Hypergeometric functions on the whole plane, by all of their expansions: values and derivatives against mpmath."""

import warnings

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from wirtinger import grad, jvp, special
from wirtinger.special.hypergeometric.gauss.mapped import mapped_modulus

POINTS = 24


def drawn(count, least, modulus, *, is_real=False):
    """Parameters from `least` to 8, and z of these moduli."""
    random = np.random.default_rng(count)
    parameters = random.uniform(least, 8, (count, POINTS))
    z = random.uniform(*modulus, POINTS)
    return [*parameters, z if is_real else z * np.exp(1j * random.uniform(-np.pi, np.pi, POINTS))]


def expected(function, args, i=None):
    """The function, or with `i` its derivative, by a difference quotient in 60 digits."""

    def at(point, shift=0):
        return function(*[mp.mpmathify(x) + (shift if k == i else 0) for k, x in enumerate(point)])

    with mp.workdps(60):
        h = mp.mpf(10) ** -20
        points = [[x.item() for x in point] for point in zip(*args, strict=True)]
        return np.array([complex(at(p) if i is None else (at(p, h) - at(p, -h)) / (2 * h)) for p in points])


def first_derivative(f, args, i):
    return jvp(lambda x: f(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones(POINTS),))[1]


@pytest.mark.parametrize(
    "args",
    [
        drawn(3, 0.2, (-20.0, 0.95), is_real=True),
        drawn(3, -2.9, (-20.0, 0.95), is_real=True),
        drawn(3, 0.2, (0.85, 1.15)),
        drawn(3, -2.9, (1.15, 9.0)),
    ],
    ids=["real", "real, negative parameters", "next to the unit circle", "far, negative parameters"],
)
def test_gauss_function_and_its_derivatives(args):
    value = expected(mp.hyp2f1, args)
    if np.iscomplexobj(args[-1]):
        np.testing.assert_allclose(special.hyp2f1(*args), value, rtol=2e-13)
    for i in range(3):
        error = np.abs(first_derivative(special.hyp2f1, args, i) - expected(mp.hyp2f1, args, i))
        assert np.max(error / (np.abs(value) + np.abs(expected(mp.hyp2f1, args, i)))) <= 5e-13


@pytest.mark.parametrize("z", [0.9975, -700.0], ids=["next to 1", "far"])
def test_whole_parameters_where_the_mapped_series_is_long(z):
    args = [np.array([2.0, 3.0]), np.array([1.0, 5.0]), np.array([4.0, 9.0]), np.full(2, z)]
    assert np.all(mapped_modulus(args[-1]) > 0.8)
    for i in range(3):
        found = jvp(lambda x, i=i: special.hyp2f1(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones(2),))[1]
        np.testing.assert_allclose(found, expected(mp.hyp2f1, args, i).real, rtol=1e-12)


@pytest.mark.parametrize("modulus", [(6.0, 20.0), (20.0, 45.0), (45.0, 90.0)])
def test_kummers_function_of_complex_arguments(modulus):
    args = drawn(2, 0.2, modulus)
    np.testing.assert_allclose(special.hyp1f1(*args), expected(mp.hyp1f1, args), rtol=1e-10)
    for i in range(2):
        scale = np.abs(expected(mp.hyp1f1, args)) + np.abs(expected(mp.hyp1f1, args, i))
        assert np.max(np.abs(first_derivative(special.hyp1f1, args, i) - expected(mp.hyp1f1, args, i)) / scale) <= 1e-11


def test_kummers_function_next_to_the_real_axis_where_it_is_large():
    args = [np.array(x) for x in ([6.87, -1.48, 2.3], [3.97, 2.04, 1.1], [398.0 - 25.0j, -398.0 - 25.0j, 24.0 + 2.0j])]
    np.testing.assert_allclose(special.hyp1f1(*args), expected(mp.hyp1f1, args), rtol=1e-13)


def test_kummers_function_where_only_its_expansion_is_left():
    point = 7.5765841375790455, 4.229764480109789, -36.62627782010962 + 54.06172143861108j
    reference = complex(mp.hyp1f1(*point))
    assert abs(special.hyp1f1(*point) - reference) <= 1e-11 * abs(reference)
    assert abs(scipy.special.hyp1f1(*point) - reference) > 1e-5 * abs(reference)


@pytest.mark.parametrize(("name", "modulus"), [("hyp1f1", (2.0, 40.0)), ("hyp2f1", (0.5, 3.0))])
def test_complex_values_do_not_depend_on_the_form_of_the_call(name, modulus):
    f, theirs = getattr(special, name), getattr(scipy.special, name)
    args = drawn(theirs.nin - 1, 0.2, modulus)
    w = f(*args)
    np.testing.assert_array_equal(f(*[x.reshape(4, 6) for x in args]), w.reshape(4, 6))
    np.testing.assert_array_equal(f(*[np.asfortranarray(x.reshape(4, 6)) for x in args]), w.reshape(4, 6))
    np.testing.assert_array_equal(f(*[np.repeat(x, 2)[::2] for x in args]), w)
    np.testing.assert_array_equal(f(*args, out=np.empty_like(w)), w)
    np.testing.assert_array_equal(f(*args[:-1], args[-1].tolist()), w)
    number = f(*[x[0].item() for x in args])
    np.testing.assert_allclose(number, w[0], rtol=2e-13)
    assert number in (theirs(*[x[0].item() for x in args]), w[0]), "SciPy's where both agree"
    assert f(*[x[:0] for x in args]).shape == (0,)
    assert f(*[x[0].reshape(()) for x in args]).shape == ()
    single = f(*[x.astype(np.float32) for x in args[:-1]], args[-1].astype(np.complex64))
    assert single.dtype == np.complex64
    np.testing.assert_allclose(single, w, rtol=1e-3)
    assert np.isnan(f(*args[:-1], np.full(POINTS, np.nan + 0j))).all()


@pytest.mark.parametrize("gap", [0.0, 1e-9, -0.03])
@pytest.mark.parametrize("m", [-2, 0, 3])
def test_gauss_function_where_two_exponents_differ_by_nearly_a_whole_number(m, gap):
    a, b = np.array([0.31, 2.7]), np.array([1.62, -0.45])
    far = [a, a + m + gap, b + 1, np.array([-1.5e6, -93.0])]
    near_one = [a, b, a + b + m + gap, 1 - np.array([3e-9, 0.004])]
    for args in (far, near_one):
        value = expected(mp.hyp2f1, args).real
        np.testing.assert_allclose(special.hyp2f1(*args), value, rtol=1e-12 if gap else 1e-10)
        for i in range(3):
            found = jvp(
                lambda x, i=i, args=args: special.hyp2f1(*args[:i], x, *args[i + 1 :]), (args[i],), (np.ones(2),)
            )
            np.testing.assert_allclose(found[1], expected(mp.hyp2f1, args, i).real, rtol=1e-11)


@pytest.mark.parametrize("x", [1.4, 2.6, 40.0])
def test_both_sides_of_the_cut(x):
    """The sign of a zero imaginary part says on which side, for values and for derivatives."""
    args = [np.array([y]) for y in (0.3, 1.7, 2.2)]
    for zero in (0.0, -0.0):
        on_cut, beside = [np.array([complex(x, y)]) for y in (zero, np.copysign(1e-13, zero))]
        np.testing.assert_allclose(special.hyp2f1(*args, on_cut), special.hyp2f1(*args, beside), rtol=1e-10)
        for i in range(4):
            sides = []
            for z in (on_cut, beside):
                point = [*args, z]
                tangent = np.ones_like(point[i])
                f = lambda y, i=i, point=point: special.hyp2f1(*point[:i], y, *point[i + 1 :])
                sides.append(jvp(f, (point[i],), (tangent,))[1])
            np.testing.assert_allclose(*sides, rtol=1e-10)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("hyp0f1", (-232.38852895576966, -46.199627584762645)),
        ("hyp0f1", (323.587286569663, -142.03978309583363)),
        ("hyp1f1", (80.04682000774895, -76.60105984896146, 4.12403124756659 + 1.6825238781628313j)),
        ("hyp1f1", (-5.574551809794629, -2.0966329200550877, 15.244088915547795 + 731.1579029845781j)),
        ("hyp2f1", (28.345497154764267, -25.12139410492844, 5.193054675622099, 0.6959325011502471)),
        ("hyp1f1", (-3.1, -33.7, 3 - 35j)),
        ("hyp1f1", (-18.577935658535516, -36.879807922642655, -5.453918168068541 + 46.78369610028267j)),
        ("hyp2f1", (-28.536868187605975, 25.563930911520544, 8.2106989973027, 0.767869001194 + 0.169419420681j)),
        ("hyp2f1", (16.595, 19.253, -18.494, 0.062)),
        ("hyp2f1", (4.230734975167499, 2.2307349751689074, -4.962127837781218, -17.73133520453827)),
    ],
)
def test_values_where_those_of_scipy_are_wrong(name, args):
    points = [np.array([x]) for x in args]
    value = expected(getattr(mp, name), points)
    assert np.abs(getattr(special, name)(*points) - value) <= 1e-11 * np.abs(value)
    assert np.abs(getattr(special, name)(*args) - value) <= 1e-11 * np.abs(value)
    assert not np.abs(getattr(scipy.special, name)(*args) - value) <= 1e-10 * np.abs(value)


def test_tricomis_function_next_to_a_whole_number():
    point = 2.732923324178255e-07, 3.00000167958296, 6.794487546970627
    with mp.workdps(60):
        second = mp.diff(lambda a: mp.hyperu(a, *point[1:]), point[0], 2)
    found = jvp(lambda a: jvp(lambda y: special.hyperu(y, *point[1:]), (a,), (1.0,))[1], (point[0],), (1.0,))[1]
    np.testing.assert_allclose(found, float(second), rtol=1e-10)


def test_wrights_function_where_it_is_zero_and_where_its_series_is_long():
    derivatives = [jvp(lambda a: special.wright_bessel(a, 0.0, 1.5), (0.0,), (1.0,))[1]]
    derivatives.append(jvp(lambda b: special.wright_bessel(0.0, b, 1.5), (0.0,), (1.0,))[1])
    np.testing.assert_allclose(derivatives, np.array([1.5, 1.0]) * np.exp(1.5), rtol=1e-13)
    far = jvp(lambda a: special.log_wright_bessel(a, 1.0, 5e4), (0.0,), (1.0,))[1]
    np.testing.assert_allclose(far, 5e4 * np.euler_gamma, rtol=1e-12)


@pytest.mark.parametrize(
    ("args", "value"),
    [
        ((2.0, 3.0, 1e17), np.inf),
        ((-2.5, 0.7, 1e17), -np.inf),
        ((2.5, -0.7, 1e300), -np.inf),
        ((2, 3, np.inf), np.inf),
        ((-3.0, 2.5, np.inf), -np.inf),
        ((-3.0, 2.5, -np.inf), np.inf),
        ((0.0, 2.0, -np.inf), 1.0),
        ((2.0, 3.0, -np.inf), 0.0),
        ((3.0, 2.0, -1e17), 0.0),
        ((2.0, 3.0, -1e17), 2e-34),
        ((2.0, 3.0, np.nan), np.nan),
    ],
)
def test_kummers_function_so_far_out_that_scipys_does_not_end(args, value):
    a, b, z = args
    found = [
        special.hyp1f1(a, b, z),
        special.hyp1f1(np.array([a, a + 0.0]), b, z)[1],
        special.hyp1f1([a], [b], [z])[0],
        special.hyp1f1(np.array(a), b, z),
        special.hyp1f1(a, b, np.ma.array([1.0, z], mask=[True, False]))[1],
        special.hyp1f1(a, b, np.array([1.0, z]), out=np.empty(2))[1],
    ]
    np.testing.assert_allclose(found, value, rtol=1e-14)
    single = special.hyp1f1(np.float32(a), np.float32(b), np.array([min(z, 3e38), 1.0], np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single[0], value, rtol=1e-5)


def test_kummers_function_far_out_and_its_derivatives():
    args = [np.array(x) for x in ([2.0, -2.5, 60.0, 0.3], [3.0, -3.7, 70.0, 0.7], [-1e17, -3e6, -1.2e5, -2e9])]
    scale = expected(mp.hyp1f1, args)
    np.testing.assert_allclose(special.hyp1f1(*args), scale, rtol=1e-13)
    for i, first_derivative in enumerate(grad(lambda *x: special.hyp1f1(*x).sum(), argnums=(0, 1, 2))(*args)):
        np.testing.assert_allclose(first_derivative, expected(mp.hyp1f1, args, i), rtol=1e-12)


def test_kummers_function_far_out_with_keywords():
    z, chosen = np.array([1.0, -1e17]), np.array([False, True])
    found = special.hyp1f1(2.0, 3.0, z, where=chosen, out=np.zeros(2))
    np.testing.assert_allclose(found, [0.0, 2e-34], rtol=1e-14)
    first_derivative = grad(lambda z: special.hyp1f1(2.0, 3.0, z, where=chosen, out=None).sum())(z)
    np.testing.assert_allclose(first_derivative, [0.0, 4e-51], rtol=1e-13)
    parameters = np.array([2.0, 3.0], np.float32)
    assert special.hyp1f1(parameters, 4.0, -1e17).dtype == np.float32


@pytest.mark.parametrize("args", [(1e9, 2.0, -3.0), (1e9, 2.0, 1 + 1j), (2.0, 1e9, -1e3 + 2j)])
def test_a_value_that_is_not_had_is_nan_with_a_warning(args):
    with pytest.warns(scipy.special.SpecialFunctionWarning, match="hyp1f1: .* takes so long"):
        assert np.isnan(special.hyp1f1(*args))


@pytest.mark.parametrize(
    ("v", "z"),
    [
        (-2293.3, 669724.0),
        (-598.2, -2330.0),
        (-836.1, -1.63e5),
        (-1160.7, -3.2e5),
        (-70.6, -5e6),
        (-62.4, 0.0),
        (-416678.6, -0.807 - 0.0852j),
        (-187.3, -5.09e3 - 1.85e4j),
        (-261.2, 7570.0 + 1.66e4j),
    ],
)
def test_confluent_limit_at_large_negative_parameters(v, z):
    with mp.workdps(400):
        value = complex(mp.hyp0f1(v, z, maxterms=10**5, maxprec=10**5))
    assert abs(special.hyp0f1(v, z) - value) <= 5e-12 * abs(value)
    assert abs(special.hyp0f1(np.array([v]), z)[0] - value) <= 5e-12 * abs(value)


@pytest.mark.parametrize(
    "parameters",
    [(1.3, 2.7, 3.1), (0.5, 1.0, 1.5), (-1.3, 2.7, 1.1), (1.3, 2.7, -1.6), (6.3, 5.7, 7.1), (2.0, 3.02, 4.0)],
)
def test_gauss_function_of_numbers_and_many_arguments(parameters):
    """They share the coefficients of series; the values are those of arrays of parameters."""
    random = np.random.default_rng(5)
    z = np.concatenate([random.uniform(-1, 1, 6000), -(10 ** random.uniform(0, 4, 3000)), [0.0, 1.0, np.nan]])
    found = special.hyp2f1(*parameters, z)
    np.testing.assert_allclose(found, special.hyp2f1(*(np.full_like(z, p) for p in parameters), z), rtol=5e-12)
    some = slice(None, 9000, 300)
    args = [np.full_like(z[some], p) for p in parameters]
    np.testing.assert_allclose(found[some], expected(mp.hyp2f1, [*args, z[some]]).real, 5e-14, 1e-15)
    np.testing.assert_array_equal(
        special.hyp2f1(*map(np.float64, parameters), z[:9000].reshape(60, 150).T).T.ravel(), found[:9000]
    )


@pytest.mark.parametrize(
    "parameters", [(1.3, 2.7, 3.1), (1.0, 2.0, 3.0), (3.0, 1.0, 2.5), (-3.0, 2.2, 1.5), (1.3, 2.7, -1.6)]
)
def test_derivatives_of_gauss_function_of_numbers_and_many_arguments(parameters):
    """They share the coefficients too; next to 0 the derivatives keep all digits."""
    random = np.random.default_rng(6)
    z = np.concatenate(
        [random.uniform(-1, 1, 600), -(10 ** random.uniform(-8, 4, 400)), 1 - 10 ** -random.uniform(1, 5, 100)]
    )
    some = slice(None, None, 40)
    columns = [np.full_like(z, x) for x in parameters]
    for i, p in enumerate(parameters):
        args = [*(np.full_like(z[some], x) for x in parameters), z[some]]
        exact, value = expected(mp.hyp2f1, args, i).real, expected(mp.hyp2f1, args).real
        f = lambda x, i=i: special.hyp2f1(*parameters[:i], x, *parameters[i + 1 :], z)
        first = jvp(f, (np.float64(p),), (1.0,))[1]
        near = np.abs(z[some]) < 0.1
        np.testing.assert_allclose(first[some][near], exact[near], rtol=1e-13)
        assert np.all(np.abs(first[some] - exact) <= 1e-13 * (np.abs(exact) + np.abs(value)))
        second = jvp(lambda x, f=f: jvp(f, (x,), (1.0,))[1], (np.float64(p),), (1.0,))[1]
        g = lambda x, i=i: special.hyp2f1(*columns[:i], x, *columns[i + 1 :], z)
        other = jvp(lambda x, g=g: jvp(g, (x,), (np.ones_like(x),))[1], (columns[i],), (np.ones_like(z),))[1]
        np.testing.assert_allclose(second, other, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(
    "args", [(0.626, 128.6, 458.3), (-1.75, 124.1, 785.9), (0.107, 32.2, 732.5), (5.0, -1.457, -13.81)]
)
def test_derivatives_of_kummers_function_where_factors_overflow_and_recurrences_divide_by_0(args):
    for i in range(3):
        found = jvp(lambda x, i=i: special.hyp1f1(*args[:i], x, *args[i + 1 :]), (args[i],), (1.0,))[1]
        exact = mp.diff(lambda *x: mp.hyp1f1(*x), args, tuple(int(k == i) for k in range(3)))
        assert abs(found / exact - 1) <= 1e-12


def test_kummers_function_of_large_parameters_next_to_zero():
    """SciPy's power series cancels there, and its values are of any size."""
    random = np.random.default_rng(9)
    a = 10 ** random.uniform(2.3, 5, 40)
    b, z = random.uniform(0.2, 90, 40), -(10 ** random.uniform(-0.5, 0, 40))
    value = expected(mp.hyp1f1, [a, b, z]).real
    scale = np.maximum(np.abs(value), np.abs(expected(mp.hyp1f1, [a + 1, b, z]).real - value))
    assert np.max(np.abs(special.hyp1f1(a, b, z) - value) / scale) <= 1e-11
    assert np.max(np.abs([special.hyp1f1(*x) for x in zip(a, b, z, strict=True)] - value) / scale) <= 1e-11


@pytest.mark.parametrize(
    ("name", "args", "derivatives"),
    [
        ("hyp1f1", (-3.0, -10.0, 14.33), (None, 3.248638471361883, 2.11095375)),
        ("hyp1f1", (-1.0, -2.0, 1.16), (None, 0.29, 0.5)),
        ("hyp1f1", (0.0, 2.0, 14.33), (9630.675842907429, 0.0, 0.0)),
        ("hyp2f1", (-1.0, 2.05, 0.017, 1.0), (None, -1 / 0.017, 2.05 / 0.017**2, -2.05 / 0.017)),
        ("hyp2f1", (-2.0, 2.05, -5.0, 0.3), (None, 0.14295, 0.0618613125, 1.007575)),
        ("hyp2f1", (2.77, 0.0, 1.5, 3.0), (0.0, None, 0.0, 0.0)),
        ("hyp2f1", (2.77, 0.0, 0.0, 0.03), (0.0, None, 0.0, 0.0)),
    ],
)
def test_derivatives_of_polynomials(name, args, derivatives):
    """They exist where those of the series with other parameters do not: at poles below, at 1 and on the cut."""
    f = getattr(special, name)
    for i, exact in enumerate(derivatives):
        if exact is not None:
            found = jvp(lambda x, i=i: f(*args[:i], x, *args[i + 1 :]), (args[i],), (1.0,))[1]
            assert abs(found - exact) <= 1e-12 * abs(exact)


@pytest.mark.parametrize("low", [0.3, -8.0])
@pytest.mark.parametrize("far", [-0.95, -7.9, -60.0])
def test_many_values_of_gauss_function(low, far):
    random = np.random.default_rng(7)
    parameters, z = random.uniform(low, 8, (3, 3000)), random.uniform(far, 0.95, 3000)
    values = special.hyp2f1(*parameters, z)
    for k in range(0, 3000, 60):
        with mp.workdps(60):
            exact = float(mp.hyp2f1(*[mp.mpf(x[k]) for x in (*parameters, z)]))
        np.testing.assert_allclose(values[k], exact, rtol=2e-12)


@pytest.mark.parametrize("low", [0.1, -30.0])
def test_many_values_of_kummers_function(low):
    random = np.random.default_rng(8)
    a, b, z = random.uniform(0.1, 6, 3000), random.uniform(0.1, 6, 3000), random.uniform(low, 30, 3000)
    b[z < 0] += a[z < 0]
    z[:2] = 0.0, -0.0
    values = special.hyp1f1(a, b, z)
    for k in range(0, 3000, 30):
        with mp.workdps(40):
            exact = float(mp.hyp1f1(*[mp.mpf(x[k]) for x in (a, b, z)]))
        np.testing.assert_allclose(values[k], exact, rtol=5e-15)


def test_kummers_function_next_to_equal_parameters():
    """SciPy has 10 right digits there."""
    a, b, z = (np.full(3000, x) for x in (2.4261103356977824, 2.47044843158973, 2.3353087684264002))
    with mp.workdps(40):
        exact = float(mp.hyp1f1(a[0], b[0], z[0]))
    np.testing.assert_allclose(special.hyp1f1(a, b, z), exact, rtol=2e-15)


@pytest.mark.parametrize("gap", [1e-12, -3e-9, 2e-6, -1.3e-4])
@pytest.mark.parametrize(("n", "b", "x"), [(7, 6.5, 4.5e-4), (3, 55.9, 6.5e-4), (0, 30.0, 1.9e-4), (2, 34.5, 9.5)])
def test_tricomis_function_next_to_polynomials(n, b, x, gap):
    a = gap - n
    with mp.workdps(60):
        exact = [mp.mpf(t) for t in (a, b, x)]
        value = float(mp.hyperu(*exact))
        first_derivative = float(mp.diff(lambda t: mp.hyperu(exact[0], t, exact[2]), exact[1], h=mp.mpf(10) ** -20))
    np.testing.assert_allclose(special.hyperu(a, b, x), value, rtol=2e-12)
    for point in (b, np.full(2, b)):
        ours, derivative = jvp(lambda t: special.hyperu(a, t, x), (point,), (np.ones_like(point),))
        np.testing.assert_allclose(ours, value, rtol=2e-12)
        np.testing.assert_allclose(derivative, first_derivative, rtol=2e-12)


@pytest.mark.parametrize("z", [-2e6, -1e10])
def test_scipys_own_kummer_function_has_a_value_far_out(z):
    value, first_derivative = jvp(lambda t: scipy.special.hyp1f1(1.3, 2.4, t), (z,), (1.0,))
    with mp.workdps(40):
        exact = [mp.mpf(x) for x in (1.3, 2.4, z)]
        np.testing.assert_allclose(value, float(mp.hyp1f1(*exact)), rtol=1e-13)
        higher = exact[0] / exact[1] * mp.hyp1f1(exact[0] + 1, exact[1] + 1, exact[2])
    np.testing.assert_allclose(first_derivative, float(higher), rtol=1e-13)


@pytest.mark.parametrize("x", [0.5, 1.2757, 12.0])
@pytest.mark.parametrize("b", [-40.3, -300.5, -1010.5, -13121.04, -1e9])
@pytest.mark.parametrize("a", [2.857, 0.02, -3.4, -30.2])
def test_tricomis_function_far_below(a, b, x):
    with mp.workdps(80):
        exact = [mp.mpf(t) for t in (a, b, x)]
        value = float(mp.hyperu(*exact))
        derivatives = [
            float(mp.hyperu(*[t + h * (i == k) for i, t in enumerate(exact)]) - mp.hyperu(*exact)) / float(h)
            for k, h in enumerate([mp.mpf(10) ** -30, mp.mpf(10) ** -20 * abs(exact[1]), mp.mpf(10) ** -30])
        ]
    np.testing.assert_allclose(special.hyperu(a, b, x), value, rtol=1e-13)
    np.testing.assert_allclose(special.hyperu(a, np.full(3, b), x), value, rtol=1e-13)
    for k, first_derivative in enumerate(derivatives):
        np.testing.assert_allclose(grad(special.hyperu, k)(a, b, x), first_derivative, rtol=2e-12)


@pytest.mark.parametrize("k", range(3))
def test_derivatives_in_parameters_of_gauss_function_too_large_are_nan_at_once(k):
    with pytest.warns(special.SpecialFunctionWarning, match="could not be computed accurately"):
        assert np.isnan(grad(special.hyp2f1, k)(1e300, 4.67, 1.1, 0.62))


def test_tricomi_next_to_0_warns_beside_1_and_is_right_elsewhere():
    """At `b = 0` and `x = 1e-11` SciPy's value is 6e-7, and not 1/2."""
    np.testing.assert_allclose(special.hyperu(2.0, 0.0, 1e-11), 0.49999999975748594, rtol=1e-12)
    with pytest.warns(special.SpecialFunctionWarning, match="b next to 1"):
        special.hyperu(4.7, 0.999999999, 1e-150)


def test_large_parameters_left_of_0():
    """Where SciPy's sum cancels: right, or with a warning."""
    source = np.random.default_rng(20261127)
    known = 0
    for _ in range(20):
        a, b, c, z = (
            source.uniform(60, 150),
            source.uniform(60, 230),
            source.uniform(0.1, 3),
            -source.uniform(0.05, 0.5),
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = special.hyp2f1(a, b, c, z)
        if not caught:
            known += 1
            np.testing.assert_allclose(found, float(mp.hyp2f1(a, b, c, z)), rtol=1e-10)
    assert known > 5


@pytest.mark.parametrize(
    ("a", "b", "c", "z"),
    [
        (37.0, -30.5, -14.000734552395738, 0.9378301376910856),
        (-10.078091700160243, -64.27404527308317, -91.72461889561093, 0.95),
        (-60.84047981553393, -13.324076080463271, -79.1433900690602, -5.423240258215858),
        (60.21129044056613, -88.63626426951394, 81.72934981538846, 0.9125902112933963),
        (-15.704672659391385, 3.0, -70.00008570615707, -10.424008245076589),
        (77.92334362613268, -47.0, -96.00000278113983, -0.8928158744567767),
        (23.379342665263536, 80.74991913978819, -39.01503868623979, -8.490310751477491),
        (38.0, 62.65695572429679, -59.58419150631176, -13.291654074848516),
        (-68.63393380053812, 42.85316522165516, -34.59799978117207, 0.9339684621828748),
        (-16.334774886661506, -26.27021741412969, -82.01460696122832, 0.9433556636346649),
    ],
)
def test_gauss_far_below_or_with_large_parameters_of_both_signs(a, b, c, z):
    """Sums that had cancelled, or lost their digits before the coefficient where `n + c` is smallest."""
    with mp.workdps(60):
        expected, first = (mp.hyp2f1(*p, z) for p in ((a, b, c), (a + 1, b + 1, c + 1)))
        first = float(first * mp.mpf(a) * b / c)
    assert special.hyp2f1(a, b, c, z) == pytest.approx(float(expected), rel=1e-11)
    assert special.hyp2f1(np.full(3, a), b, c, z)[1] == pytest.approx(float(expected), rel=1e-11)
    assert grad(special.hyp2f1, 3)(a, b, c, z) == pytest.approx(first, rel=1e-10)


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [
        (5.205069948859636, 0.9291700476108384, 3e-197),
        (13.915006467702625, 0.9433249962331531, 2.6362989849405594e-300),
        (-1.2681710226124776, 0.9354748990743227, 6.906300644590401e-283),
        (77.47028064102645, 1.0718, 5.5e-135),
        (0.3, 1.4, 1e-25),
    ],
)
def test_tricomi_next_to_zero_beside_one(a, b, x):
    """DLMF 13.2.42; derivatives in the parameters by differences in 60 digits."""

    def reference(a, b):
        second = mp.gamma(b - 1) * mp.rgamma(a) * mp.mpf(x) ** (1 - b)
        return mp.gamma(1 - b) * mp.rgamma(a - b + 1) * mp.hyp1f1(a, b, x) + second * mp.hyp1f1(a - b + 1, 2 - b, x)

    with mp.workdps(60):
        point, h = (mp.mpf(a), mp.mpf(b)), mp.mpf(10) ** -20
        expected = [
            reference(*point),
            *((reference(point[0] + s, point[1] + t) - reference(*point)) / h for s, t in ((h, 0), (0, h))),
        ]
    found = [special.hyperu(a, b, x), grad(special.hyperu, 0)(a, b, x), grad(special.hyperu, 1)(a, b, x)]
    np.testing.assert_allclose(found, [float(w) for w in expected], rtol=2e-13)


def test_a_series_in_bessel_functions_goes_on_beyond_a_negative_parameter():
    a, b, z = 9.575250354465489, -9.278679421830013, 0.7574234190990914 - 4.487088941055614j
    with mp.workdps(50):
        expected = complex(mp.hyp1f1(a, b, mp.mpmathify(z)))
    assert abs(special.hyp1f1(a, b, np.full(3, z))[1] - expected) <= 1e-13 * abs(expected)
