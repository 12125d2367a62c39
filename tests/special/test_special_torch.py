"""PyTorch's names: values, orders of arguments, degrees, dtypes; nothing of `torch.special` is missing."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from wirtinger import grad, special
from wirtinger.special import torch_functions

# every public name of torch.special in PyTorch 2.13
NAMES = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]
POLYNOMIALS = [name for name in torch_functions.__all__ if "polynomial" in name]
OF_ONE = [name for name in torch_functions.__all__ if "polynomial" not in name]

# values of PyTorch 2.13 at 0.7, and at x = 0.7, n = 4
AT_POINT = {
    "airy_ai": 0.18916240039815,
    "bessel_j0": 0.8812008886074052,
    "bessel_j1": 0.3289957415400589,
    "bessel_y0": -0.1906649293373951,
    "bessel_y1": -1.1032498719076336,
    "chebyshev_polynomial_t": -0.9992,
    "chebyshev_polynomial_u": -1.0384000000000002,
    "chebyshev_polynomial_v": -0.9823999999999997,
    "chebyshev_polynomial_w": -1.0944000000000005,
    "hermite_polynomial_h": -7.678399999999997,
    "hermite_polynomial_he": 0.3001000000000002,
    "laguerre_polynomial_l": -0.5486624999999999,
    "legendre_polynomial_p": -0.41206250000000005,
    "modified_bessel_i0": 1.1263030183068092,
    "modified_bessel_i1": 0.37187967777700853,
    "modified_bessel_k0": 0.6605198599151018,
    "modified_bessel_k1": 1.0502835353129183,
    "scaled_modified_bessel_k0": 1.3301236562420562,
    "scaled_modified_bessel_k1": 2.115011312848053,
    "shifted_chebyshev_polynomial_t": -0.07519999999999963,
    "shifted_chebyshev_polynomial_u": -0.5103999999999996,
    "shifted_chebyshev_polynomial_v": 0.5776000000000004,
    "shifted_chebyshev_polynomial_w": -1.5983999999999994,
    "spherical_bessel_j0": 0.9203109817681301,
}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_torch_is_here(name):
    assert name in special.__all__
    assert callable(getattr(special, name))


@pytest.mark.parametrize("name", [*OF_ONE, *POLYNOMIALS])
def test_value(name):
    arguments = (0.7, 4) if name in POLYNOMIALS else (0.7,)
    np.testing.assert_allclose(getattr(special, name)(*arguments), AT_POINT[name], rtol=1e-7)


@pytest.mark.parametrize("kind", "tuvw")
def test_chebyshev_polynomials_are_what_their_angle_says(kind):
    t = np.array([0.3, 1.1, 2.9])
    n = np.array([[0], [1], [7]])
    of_angle = {
        "t": np.cos(n * t),
        "u": np.sin((n + 1) * t) / np.sin(t),
        "v": np.cos((n + 0.5) * t) / np.cos(t / 2),
        "w": np.sin((n + 0.5) * t) / np.sin(t / 2),
    }[kind]
    plain = getattr(special, f"chebyshev_polynomial_{kind}")
    shifted = getattr(special, f"shifted_chebyshev_polynomial_{kind}")
    np.testing.assert_allclose(plain(np.cos(t), n), of_angle, rtol=1e-12)
    np.testing.assert_allclose(shifted((1 + np.cos(t)) / 2, n), of_angle, rtol=1e-12)


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_degrees(name):
    f = getattr(special, name)
    assert f(0.3, -2) == 0
    assert f(0.3, 0) == 1
    assert f(0.3, 2.9) == f(0.3, 2)
    assert grad(f)(0.3, 0) == 0
    assert grad(f)(0.3, -2) == 0
    np.testing.assert_array_equal(f([0.3, 0.4], [[1], [-1]]), [[f(0.3, 1), f(0.4, 1)], [0, 0]])


@pytest.mark.parametrize("name", [*OF_ONE, *POLYNOMIALS])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtype_and_shape(name, dtype):
    x = np.full((2, 1), 0.7, dtype)
    f = getattr(special, name)
    if name in POLYNOMIALS:
        w, w_negative = f(x, [1, 2, 3]), f(x, [1, -2, 3])
        assert (w.shape, w.dtype) == (w_negative.shape, w_negative.dtype) == ((2, 3), dtype)
    else:
        w = f(x)
        assert (w.shape, w.dtype) == ((2, 1), dtype)


@pytest.mark.parametrize("name", ["bessel_y0", "bessel_y1", "modified_bessel_k0", "scaled_modified_bessel_k1"])
def test_negative_arguments_have_no_real_value(name):
    assert np.isnan(getattr(special, name)(-0.5))


def test_at_zero():
    assert special.spherical_bessel_j0(0) == 1
    assert grad(special.spherical_bessel_j0)(0.0) == 0
    assert grad(grad(special.spherical_bessel_j0))(0.0) == pytest.approx(-1 / 3, rel=1e-14)
    assert special.bessel_y0(0.0) == -np.inf


@pytest.mark.parametrize("name", OF_ONE)
def test_lists_and_integers(name):
    f = getattr(special, name)
    np.testing.assert_array_equal(f([1, 2]), f(np.array([1.0, 2.0])))


@pytest.mark.parametrize("x", [-2.3, 1e-8, 0.4, 30.0])
def test_derivatives_of_the_spherical_function(x):
    f = special.spherical_bessel_j0
    np.testing.assert_allclose(f(x), np.sin(x) / x, rtol=1e-15)
    np.testing.assert_allclose(grad(f)(x), -scipy.special.spherical_jn(1, x), rtol=1e-13)
    np.testing.assert_allclose(grad(grad(f))(x), -scipy.special.spherical_jn(1, x, derivative=True), rtol=1e-13)


def test_complex_arguments():
    z = 0.4 + 0.3j
    assert special.airy_ai(z) == scipy.special.airy(z)[0]
    np.testing.assert_allclose(special.spherical_bessel_j0(z), np.sin(z) / z, rtol=1e-14)
    np.testing.assert_allclose(special.legendre_polynomial_p(z, 2), (3 * z * z - 1) / 2, rtol=1e-14)
