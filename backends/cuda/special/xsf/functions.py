"""Which function of xsf is which ufunc of SciPy, in groups that are compiled together.

A row is the ufunc's name, and where it differs the C++ name; where a call is not just that, the whole call in `x0, x1,
..` and, of several outputs, `y0, y1, ..`.  Its types are those that the ufunc has in double precision.
"""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """Headers of xsf, the functions that are compiled with them, and the files of our own that hold them, if any."""

    headers: tuple[str, ...]
    functions: str
    own: str = ""


def _whole(name: str, count: int = 2) -> str:
    """The call of a function whose first argument is a whole number in floating point, as SciPy truncates it."""
    others = ", ".join(f"x{i}" for i in range(1, count))
    return f"isnan(x0) ? x0 : {name}((int)x0, {others})"


def _second(name: str) -> str:
    """The same for the second of three arguments."""
    return f"isnan(x1) ? x1 : {name}(x0, (int)x1, x2)"


def _both(name: str) -> str:
    """The same for the first two of three."""
    return f"isnan(x0 + x1) ? x0 + x1 : {name}((int)x0, (int)x1, x2)"


_TWO, _THREE, _FOUR = "x0, x1", "x0, x1, x2", "x0, x1, x2, x3"
_POLYNOMIALS = {
    **dict.fromkeys(
        ("chebyt", "chebyu", "chebyc", "chebys", "sh_chebyt", "sh_chebyu", "legendre", "sh_legendre"), _TWO
    ),
    **dict.fromkeys(("laguerre", "hermite", "hermitenorm"), _TWO),
    **dict.fromkeys(("gegenbauer", "genlaguerre"), _THREE),
    **dict.fromkeys(("jacobi", "sh_jacobi"), _FOUR),
}
_MIXTURES = {
    "betaincc": "beta_complement(x0, x1, x2)",
    "betainccinv": "beta_complement_inverse(x0, x1, x2)",
    "betaincinv": "beta_inverse(x0, x1, x2)",
    "stdtr": "student(x0, x1)",
    "stdtrit": "student_inverse(x0, x1)",
    "btdtria": "beta_a(x1, x2, x0)",
    "btdtrib": "beta_b(x0, x2, x1)",
    "chdtriv": "chi_squared_central(x0, x1)",
    "pdtrik": "poisson_k(x0, x1)",
    "bdtrik": "binomial_k(x0, x1, x2)",
    "bdtrin": "binomial_n(x0, x1, x2)",
    "nbdtrik": "negative_binomial_k(x0, x1, x2)",
    "nbdtrin": "negative_binomial_n(x0, x1, x2)",
    "stdtridf": "student_n(x0, x1)",
    "fdtridfd": "noncentral_f_n(x0, 0, x1, x2)",
    "chndtr": "chi_squared(x0, x1, x2)",
    "chndtrix": "chi_squared_x(x1, x2, x0)",
    "chndtridf": "chi_squared_k(x0, x2, x1)",
    "chndtrinc": "chi_squared_nc(x0, x1, x2)",
    "ncfdtr": "noncentral_f(x0, x1, x2, x3)",
    "ncfdtri": "noncentral_f_inverse(x0, x1, x2, x3)",
    "ncfdtridfn": "noncentral_f_m(x1, x2, x0, x3)",
    "ncfdtridfd": "noncentral_f_n(x0, x2, x1, x3)",
    "ncfdtrinc": "noncentral_f_nc(x0, x1, x2, x3)",
    "nctdtr": "noncentral_t(x0, x1, x2)",
    "nctdtrit": "noncentral_t_inverse(x0, x1, x2)",
    "nctdtridf": "noncentral_t_n(x0, x1, x2)",
    "nctdtrinc": "noncentral_t_d(x0, x1, x2)",
}

GROUPS = {
    "elementary": Group(
        (*("alg", "boxcox", "convex_analysis", "exp", "log", "log_exp", "trig"), "cephes/round"),
        "cbrt; exp2; exp10; expm1; log1p; sindg; cosdg; tandg; cotdg; radian; cosm1; exprel; expit; logit; log_expit; "
        "boxcox; boxcox1p; inv_boxcox; inv_boxcox1p; entr; kl_div; rel_entr; huber; pseudo_huber; xlogy; xlog1py; "
        "round = cephes::round",
    ),
    "gamma": Group(
        ("gamma", "loggamma", "digamma", "beta", "binom", "cephes/poch"),
        "gamma; gammaln; gammasgn; loggamma; rgamma; digamma; beta; betaln; binom; poch = cephes::poch; gammainc; "
        "gammaincc; gammaincinv; gammainccinv",
    ),
    "zeta": Group(
        ("zeta", "spence", "agm", "ellip"),
        "zetac = cephes::zetac; _zeta = zeta; _riemann_zeta = riemann_zeta; spence; agm; "
        "ellipe; ellipk; ellipkm1; ellipeinc; ellipkinc; ellipj",
    ),
    "error functions": Group(
        ("erf", "stats", "ndtri_exp", "cephes/erfinv"),
        "erf; erfc; erfcx; erfi; dawsn; wofz; voigt_profile; ndtr; log_ndtr; ndtri; ndtri_exp; "
        "erfcinv = cephes::erfcinv; nrdtrimn; nrdtrisd; owens_t; tklmbda = tukeylambdacdf",
    ),
    "distributions": Group(
        ("stats", "cdflib", "cephes/incbet", "cephes/incbi"),
        f"chdtr; chdtrc; chdtri; fdtr; fdtrc; fdtri; gdtr; gdtrc; gdtria; gdtrib; gdtrix; pdtr; pdtrc; "
        f"pdtri: {_whole('xsf::pdtri')}; bdtr: {_second('xsf::bdtr')}; bdtrc: {_second('xsf::bdtrc')}; "
        f"bdtri: {_second('xsf::bdtri')}; nbdtr: {_both('xsf::nbdtr')}; nbdtrc: {_both('xsf::nbdtrc')}; "
        f"nbdtri: {_both('xsf::nbdtri')}; betainc = cephes::incbet",
    ),
    "inverse error function": Group((), "erfinv: error_function::inverse(x0)", "error_function.cuh"),
    "Kolmogorov and Smirnov": Group(
        ("stats", "cephes/kolmogorov"),
        "kolmogorov = cephes::kolmogorov; kolmogi = cephes::kolmogi; "
        f"smirnov: {_whole('xsf::cephes::smirnov')}; smirnovi: {_whole('xsf::cephes::smirnovi')}",
    ),
    "exponential integrals": Group(
        ("expint", "sici", "cephes/expn"), f"exp1; expi; sici; shichi; expn: {_whole('xsf::cephes::expn')}"
    ),
    "Bessel of real arguments": Group(
        ("cephes/j0", "cephes/j1", "cephes/i0", "cephes/i1", "cephes/k0", "cephes/k1", "cephes/yn"),
        "j0 = cephes::j0; j1 = cephes::j1; y0 = cephes::y0; y1 = cephes::y1; i0 = cephes::i0; i1 = cephes::i1; "
        "i0e = cephes::i0e; i1e = cephes::i1e; k0 = cephes::k0; k1 = cephes::k1; k0e = cephes::k0e; k1e = cephes::k1e; "
        f"yn: {_whole('xsf::cephes::yn')}",
    ),
    "Bessel": Group(
        ("bessel", "airy"),
        "jv = cyl_bessel_j; jve = cyl_bessel_je; yv = cyl_bessel_y; yve = cyl_bessel_ye; iv = cyl_bessel_i; "
        "ive = cyl_bessel_ie; kv = cyl_bessel_k; kve = cyl_bessel_ke; hankel1 = cyl_hankel_1; "
        "hankel1e = cyl_hankel_1e; hankel2 = cyl_hankel_2; hankel2e = cyl_hankel_2e; airy; airye; "
        "itairy; itj0y0 = it1j0y0; it2j0y0; iti0k0 = it1i0k0; it2i0k0; besselpoly; "
        "kn: isnan(x0) ? x0 : xsf::cyl_bessel_k(trunc(x0), x1)",
    ),
    "spherical Bessel": Group(
        ("bessel", "sph_bessel"),
        "; ".join(
            f"_spherical_{kind}n{suffix}: xsf::sph_bessel_{kind}{other}((long)x0, x1)"
            for kind in "jyik"
            for suffix, other in (("", ""), ("_d", "_jac"))
        ),
    ),
    "Lambert": Group(("lambertw",), "_lambertw: xsf::lambertw(x0, (long)x1, x2)"),
    "Legendre": Group(
        (),
        "_legendre: legendre::polynomial; _associated: legendre::associated; _spherical_legendre: legendre::spherical",
        "legendre.cuh",
    ),
    "Kelvin and Struve": Group(
        ("kelvin", "struve"),
        "ber; bei; ker; kei; berp; beip; kerp; keip; kelvin; struve = struve_h; modstruve = struve_l; itstruve0; "
        "it2struve0; itmodstruve0",
    ),
    "Fresnel": Group(
        ("fresnel",), "fresnel; modfresnelp = modified_fresnel_plus; modfresnelm = modified_fresnel_minus"
    ),
    "hypergeometric": Group(("hyp2f1", "hyperu", "specfun"), "hyp2f1; hyperu; lpmv = pmv"),
    "Wright": Group(("wright_bessel",), "wright_bessel; log_wright_bessel"),
    "Mathieu": Group(
        ("mathieu",),
        "mathieu_a = cem_cva; mathieu_b = sem_cva; mathieu_cem = cem; mathieu_sem = sem; mathieu_modcem1 = mcm1; "
        "mathieu_modcem2 = mcm2; mathieu_modsem1 = msm1; mathieu_modsem2 = msm2",
    ),
    "parabolic": Group(("par_cyl",), "pbdv; pbvv; pbwa"),
    "spheroidal": Group(
        ("sphd_wave",),
        "pro_cv = prolate_segv; obl_cv = oblate_segv; pro_ang1 = prolate_aswfa_nocv; obl_ang1 = oblate_aswfa_nocv; "
        "pro_ang1_cv = prolate_aswfa; obl_ang1_cv = oblate_aswfa; pro_rad1 = prolate_radial1_nocv; "
        "pro_rad2 = prolate_radial2_nocv; obl_rad1 = oblate_radial1_nocv; obl_rad2 = oblate_radial2_nocv; "
        "pro_rad1_cv = prolate_radial1; pro_rad2_cv = prolate_radial2; obl_rad1_cv = oblate_radial1; "
        "obl_rad2_cv = oblate_radial2",
    ),
    "Carlson": Group(
        (),
        "elliprc: carlson::rc(x0, x1); elliprd: carlson::rd(x0, x1, x2); elliprf: carlson::rf(x0, x1, x2); "
        "elliprg: carlson::rg(x0, x1, x2); elliprj: carlson::rj(x0, x1, x2, x3)",
        "carlson.cuh",
    ),
    "polynomials": Group(
        (),
        "; ".join(f"eval_{name}: polynomials::{name}({args})" for name, args in _POLYNOMIALS.items()),
        "long_numbers.cuh kummer.cuh polynomials.cuh",
    ),
    "omega": Group((), "wrightomega: omega::wright(x0); powm1: omega::powm1(x0, x1)", "omega.cuh"),
    "Kummer": Group((), "hyp1f1: kummer::hyp1f1(x0, x1, x2)", "long_numbers.cuh kummer.cuh"),
    "limit function": Group((), "hyp0f1: limit_function::hyp0f1(x0, x1)", "limit_function.cuh"),
    "mixtures": Group((), "; ".join(f"{name}: mixtures::{call}" for name, call in _MIXTURES.items()), "mixtures.cuh"),
}


def calls_of(group: Group) -> dict[str, str]:
    """By the name of each ufunc of a group its C++ name, or its whole call."""
    calls = {}
    for row in group.functions.split("; "):
        name, _, call = row.partition(": ")
        name, _, other = name.partition(" = ")
        calls[name] = call or f"xsf::{other or name}"
    return calls
