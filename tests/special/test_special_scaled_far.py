"""Scaled Bessel functions of complex arguments far out, where SciPy's are NaN from 2**51 on, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from bessel_references import along
from wirtinger import jvp, special

# the value and the derivatives along 1 and 1j, computed with Arb, python-flint

SMALL_ALONG_ONE = [
    (
        "jve",
        1.3,
        400 - 3e4j,
        [
            -0.001183785969393896 + 0.0019756238161427325j,
            -0.001975590633519955 - 0.001183766682988531j,
            -1.928640536518118e-08 + 3.3182622777484685e-08j,
        ],
    ),
    (
        "jve",
        -2.7,
        1e17 + 2j,
        [
            8.975588649148807e-10 - 8.860519608700572e-10j,
            -9.191147423400198e-10 - 8.652715005194895e-10j,
            -3.2287364395391243e-11 - 3.3062781469962564e-11j,
        ],
    ),
    (
        "yve",
        1.3,
        -3e6 + 1e6j,
        [
            -7.583363040057765e-05 + 0.00021113612991942543j,
            0.0002111361079875655 + 7.583365827930213e-05j,
            -2.787872447878833e-11 - 2.1931859941491105e-11j,
        ],
    ),
    (
        "yve",
        1.3,
        -2e16 + 4e3j,
        [
            1.4302133738437192e-09 + 2.4315091733064326e-09j,
            2.431509173306433e-09 - 1.4302133738437192e-09j,
            -6.078772933266797e-26 + 3.575533434608082e-26j,
        ],
    ),
    (
        "hankel1e",
        1.3,
        -1e3 - 20j,
        [
            0.007538402780038953 - 0.024075861448047815j,
            3.50950559389226e-06 - 1.2113217287676757e-05j,
            1.2113217287676757e-05 + 3.50950559389226e-06j,
        ],
    ),
    ("hankel1e", 20.5, -1e17 - 2j, [2.52313252202016e-09, 1.2615662610100801e-26, 1.2615662610100801e-26j]),
    (
        "hankel2e",
        1.3,
        -3e9 + 3e8j,
        [
            3.796367177746238e-06 + 1.4026440962860692e-05j,
            3.9500380767325995e-16 + 2.37724054143371e-15j,
            -2.37724054143371e-15 + 3.9500380767325995e-16j,
        ],
    ),
]


@pytest.mark.parametrize(("name", "v", "z", "expected"), SMALL_ALONG_ONE)
def test_values_and_derivatives_in_all_directions(name, v, z, expected):
    """The derivative along 1j of `jve` is smaller than the function by `z`, as is that of `hankel1e` along any."""
    f = getattr(special, name)
    found = [jvp(lambda z: f(v, z), (z,), (step,)) for step in (1.0 + 0j, 1j)]
    found = [found[0][0], found[0][1], found[1][1]]
    for x, y in zip(found, expected, strict=True):
        assert abs(x - y) <= 3e-14 * abs(y)


@pytest.mark.parametrize("name", ["jve", "yve", "hankel1e", "hankel2e"])
@pytest.mark.parametrize("z", [-2500 - 3j, -2500 + 3j, 2500 - 2j])
def test_far_out_as_further_in(name, z):
    """Bessel's equation, with the second derivatives along the real axis of functions scaled by `exp(-|Im z|)`."""
    v, f = 2.3, getattr(special, name)
    w, first, second = f(v, z), along(f, (v, z), 1), along(f, (v, z), 1, 1)
    if name.startswith("hankel"):
        sign = 1j if name == "hankel1e" else -1j
        first, second = first + sign * w, second + 2 * sign * first - w
    assert abs(second + first / z + (1 - (v / z) ** 2) * w) <= 1e-13 * abs(w)


@pytest.mark.parametrize("z", [2.0**51, 2.0**52, 1e17, 1e200])
def test_real_arguments_from_where_scipy_gives_up(z):
    """`J**2 + Y**2 = 2 / (pi z)` there, and the real loop is the real part of the complex one."""
    j, y = special.jve(1.3, z), special.yve(1.3, z)
    assert np.hypot(j, y) == pytest.approx(np.sqrt(2 / np.pi) / np.sqrt(z), rel=1e-14)
    assert special.jve(1.3, z + 0j).real == pytest.approx(j, rel=1e-14)
    assert special.yve(1.3, np.full(3, z)) == pytest.approx([y] * 3, rel=1e-14)


def test_orders_of_which_a_half_is_less_than_the_digits():
    """At `z` beyond `v**2` the function is `sqrt(2 / (pi z)) exp(i pi (2 v + 1) / 4)`, `v` even here."""
    for v, z in (
        (2.0**60, 1e50 - 0.3j),
        (6.0 + 2.0**52, 1e45 + 0j),
        (2.4987760632693367e72, 1.157971430994314e215 - 0.3j),
    ):
        turn = (1 - 2 * (v / 2 % 2)) * np.exp(0.25j * np.pi)
        expected = np.sqrt(2 / (np.pi * abs(z))) * turn
        np.testing.assert_allclose(special.hankel2e(v, z), expected, rtol=1e-13)
        np.testing.assert_allclose(special.hankel1e(v, z), np.conj(expected), rtol=1e-13)


def test_integrals_over_t_at_negative_numbers():
    """That of `1 - J_0` is even; SciPy's has 9 digits."""
    of_j, of_y = special.it2j0y0(np.array([-20.000386747516945, -5.0, -63.9]))
    assert of_j[0] == pytest.approx(2.8773267154921973, rel=1e-14)  # mpmath
    np.testing.assert_array_equal(of_j[1:], special.it2j0y0(np.array([5.0, 63.9]))[0])
    assert np.all(np.isnan(of_y))
