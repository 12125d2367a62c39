"""Airy and Struve functions far out, where the phase of SciPy's has lost digits."""

from __future__ import annotations

import numpy as np
import pytest

from wirtinger import grad, jvp, special

# computed with Arb, python-flint: Ai, Ai', Bi, Bi'

AIRY = [
    (
        -56894.979673880945,
        [
            -0.027944217738396802,
            -5.612244763968106,
            0.02352879146619216,
            -6.665441531369998,
        ],
    ),
    (
        -1000000000.0,
        [
            -0.0013987219649165895,
            -90.05231416103278,
            0.0028477042131789744,
            -44.23147222442479,
        ],
    ),
    (
        -970000000000.0,
        [
            -0.00010539545125677876,
            550.2035309608202,
            -0.0005586470452040453,
            -103.80248123841466,
        ],
    ),
    (
        (-5520.48741456168 - 0.006191674480367312j),
        [
            (-0.0723128416725006 - 0.0022534182832726173j),
            (0.38926379279100726 - 2.310955742035701j),
            (-0.005239109861787829 + 0.031103047098739275j),
            (-5.372843021490608 - 0.16743054375210165j),
        ],
    ),
    (
        (500000.0000000001 + 866025.4037844386j),
        [
            (-0.008214808582146581 - 0.0034776965374259325j),
            (5.375384652432194 + 7.119177837793481j),
            (-0.00727307523593435 + 0.006023550370126822j),
            (-23.548798781687715 + 12.330779322515j),
        ],
    ),
    (
        (-30000 - 1e-05j),
        [
            (0.0054856318741067145 + 7.364114413532199e-05j),
            (-7.364121777645321 + 0.0016456879165419724j),
            (0.04251677717061288 - 9.501387159244584e-06j),
            (0.950139666061567 + 0.012755020396166335j),
        ],
    ),
]

# orders, arguments, values, derivatives in the argument

STRUVE = [
    (0.5, 1e17, 4.757511017161196e-09, -1.1720710149675633e-09),
    (-1.0, 5.351005168393186e16, -2.8022932304506562e-09, 2.011057527545694e-09),
    (-190.75, 6250.567381096823, -0.00870601694393362, 0.0051073923352978196),
    (3.0, -1.152921504606847e18, 5.641418827341397e34, -9.78630167760667e16),
]


def _error(found, expected):
    """Relative to the modulus of Ai and Bi, and of their derivatives."""
    found, expected = np.array(found), np.array(expected)
    sizes = np.sqrt(np.abs(expected[:2]) ** 2 + np.abs(expected[2:]) ** 2)
    return np.max(np.abs(found - expected) / np.tile(sizes, 2))


@pytest.mark.parametrize(("z", "expected"), AIRY)
def test_airy(z, expected):
    found, derivatives = jvp(special.airy, (z,), (1.0 + 0 * z,))
    assert _error(found, expected) <= 1e-14
    ai, aip, bi, bip = expected
    assert _error(derivatives, [aip, z * ai, bip, z * bi]) <= 1e-14
    many = special.airy(np.array([z, 0.5, z]))
    np.testing.assert_array_equal([w[2] for w in many], found)
    np.testing.assert_array_equal([w[1] for w in many], special.airy(0.5 + 0 * z))


@pytest.mark.parametrize(("z", "expected"), [row for row in AIRY if isinstance(row[0], complex)])
def test_scaled_airy(z, expected):
    """Off the line where `Re zeta = 0`, the derivative along 1 of Bi's factor `exp(-|Re zeta|)` is `-s Re sqrt(z)`."""
    root = np.sqrt(z)
    zeta = 2 / 3 * z * root
    found, derivatives = jvp(special.airye, (z,), (1.0 + 0j,))
    assert abs(found[0] * expected[1] / (found[1] * expected[0]) - 1) <= 1e-13
    assert abs(found[2] * expected[3] / (found[3] * expected[2]) - 1) <= 1e-13
    assert abs(found[2]) == pytest.approx(abs(expected[2]) * np.exp(-abs(zeta.real)), rel=1e-6)
    if abs(zeta.real) > 1e-3:
        rate = np.sign(zeta.real) * root.real
        for w, next_one, derivative in zip(found[2:], (found[3], z * found[2]), derivatives[2:], strict=True):
            assert abs(next_one - rate * w - derivative) <= 1e-12 * abs(derivative)


def test_conjugates_and_the_end_of_the_digits():
    z = np.array([-1e5 + 1e-3j, 5e5 + 866025.4037844386j, -1e4 - 1e-2j])
    for f in (special.airy, special.airye):
        for w, conjugate in zip(f(z), f(np.conjugate(z)), strict=True):
            np.testing.assert_array_equal(w, np.conjugate(conjugate))
    below = special.airy(complex(-1e5, -0.0))
    assert [w.real for w in below] == pytest.approx(special.airy(-1e5), rel=1e-13)
    with pytest.warns(match="phase"):
        assert np.isnan(special.airy(-1e13)[0])


@pytest.mark.parametrize(("v", "x", "value", "derivative"), STRUVE)
def test_struve(v, x, value, derivative):
    size = np.sqrt(2 / np.pi / abs(x))
    assert abs(special.struve(v, x) - value) <= 2e-14 * max(size, abs(value))
    assert abs(special.struve(v, np.array([x, 1.0]))[0] - value) <= 2e-14 * max(size, abs(value))
    assert abs(grad(special.struve, 1)(v, x) - derivative) <= 1e-13 * max(size, abs(derivative))


def test_integrals_differentiate_to_right_phases():
    x = 2.0**60
    assert grad(lambda x: special.itj0y0(x)[0])(x) == special.j0(x)
    assert grad(lambda x: special.it2j0y0(x)[1])(x) == -special.y0(x) / x
