"""The scan of `special_scan.py`: a sample of it for every ufunc, and the large one."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from special_draws import NAMES, SEED
from special_scan import CASES, KINDS, Scan, base_of, beta_parts, compare, gamma_parts, points, scanned
from wirtinger import grad, jvp, special

SAMPLE = 4
"""Every fourth kind of points is drawn, and the ordinary ones: two kinds for the first case of a ufunc, else one."""


EXHAUSTIVE = pytest.mark.exhaustive  # its reference, of 190 digits and more, takes a minute

FOUND = [
    ("betaln", (1e-198, 1e-154)),
    ("eval_legendre complex", (36.0, -1.01468 + 0j)),
    ("eval_legendre complex", (36.0, complex(-1.01468, -0.0))),
    ("pro_ang1[0]", (1.0, 6.0, 1e-7, -0.5)),
    ("obl_ang1[0]", (1.0, 6.0, 1e-7, -0.5)),
    ("mathieu_sem[0]", (12.0, 1512.0, -208.7)),
    ("iv", (1.45, 1e-150)),
    ("tklmbda", (0.3, 1e-5)),
    ("pbvv[0]", (-60.5, -45.5)),
    ("pbvv[0]", (-60.5, -44.0)),
    ("mathieu_a", (3.0, 1.5e5)),
    ("mathieu_sem[0]", (3.0, 2686.684329285372, -189.2429611258876)),
    ("mathieu_sem[0]", (7.0, 2519.575, 189.719)),
    ("mathieu_sem[1]", (6.0, -49333.0, 23.5)),
    ("obl_ang1_cv[0]", (2.0, 5.0, 21.31768689794258, -253.03281638373267, 0.0005979441434891344)),
    ("obl_ang1_cv[1]", (4.0, 5.0, 166.43444114803654, -26041.11703463889, -0.2172221721303318)),
    ("pro_rad1_cv[0]", (0.0, 3.0, 145.3366, 1010.56, 43.86)),
    ("besselpoly", (484.75047656239275, -13689.672453677456, 6.805342583127606)),
    ("besselpoly", (5.233986940165168, -2.0000000004954868, 179.99999999164723)),
    ("besselpoly", (17.938434310766926, -961.3758235180112, 102.05284889434827)),
    ("chndtr", (4.472741887739674, 3.3939500328529433, 1153.4866362560686)),
    ("iti0k0[0]", (-22.0,)),
    ("lpmv", (2.0, 6.137500086900911e-12, -0.1299593469718865)),
    ("hyp2f1", (-0.4190788950711841, 1.881972232004294e-165, 8.581110779707409e-208, 0.13098066229058125)),
    ("hyp2f1", (1.0000000090000001e-05, -0.419, 1e-05, 0.13)),
    ("hyp2f1", (0.5, 0.7, 1e-150, 0.3)),
    ("hyp2f1", (-2.0, 0.7, -3e-238, 0.3)),
    ("hyp2f1", (7.390207814822187, 2.228048071181705, -1.8392532551811115e-35, -0.5283186281602881)),
    ("hyp2f1", (6.837693335847844, 5.600196492406781, -2.0588012878420964e-277, 0.18526500890543118)),
    ("hyp2f1 complex", (0.5, 0.7, 1e-200, 0.3 + 0.2j)),
    ("ive complex", (-1.335, 5.2e12 - 0j)),
    ("ive complex", (2.5, 1e7 + 3j)),
    ("airye[2] complex", (5128.0 + 0.3j,)),
    ("airye[3] complex", (5128.0 + 0.3j,)),
    (
        "eval_sh_jacobi complex",
        (90.00000000000038, 8.161541526028868, -1.0000000000154035, -0.005927037063008553 + 0.3156966094547231j),
    ),
    ("airye[0] complex", (-3.4156537102537018e25 + 0.6526319134794315j,)),
    ("airye[1] complex", (657015240069.0997 - 1.587533959252464j,)),
    ("airye[2] complex", (7.616228827657027e22 - 0j,)),
    ("airye[3] complex", (1.2646415046158107e25 + 0j,)),
    ("airye[0] complex", (-17.5 - 3.2096777988635257j,)),
    ("airye[1] complex", (-17.5 - 3.2096777988635257j,)),
    ("airye[1] complex", (-3e3 + 4.0j,)),
    ("eval_sh_legendre", (2.507558683969616, 4.744110405265998e-105)),
    ("eval_sh_jacobi", (2.5, 1.5, 1.2, 1e-200)),
    ("eval_sh_jacobi", (20.5, 8.5, 5.500001, 1e-25)),
    ("sici[0]", (1.2345678e20,)),
    ("mathieu_modcem2[1]", (0.0, 7.072677539036292e-9, 0.8841972643724147)),
    ("eval_sh_jacobi", (1.4701934103385488, -6.5, 21.0, 0.6157254941336415)),
    ("eval_sh_jacobi", (3.7810707526719503, 6.044392713529029, 1524.252124881722, 0.9396836122115396)),
    ("eval_sh_jacobi", (-4.415674984105906e-11, 0.9999999999999716, -2.00077781949255, 90.00004641137943)),
    ("eval_sh_jacobi", (6.40915491602571, 5.105896478492029, 26.49999999999801, 4.000000000007883)),
    ("eval_sh_jacobi", (6.607291602568209, 5.75896878923679, 90.00000556629487, 0.9228535636662523)),
    ("nctdtr", (2.3236655471718006e-12, -3.877895575369629, 2.8393120247980574)),
    ("nctdtr", (1.7811115420332993e-181, -1.7203572359650243, 3.6294032088591e-80)),
    ("pbdv[0]", (-4.3492821748257, 45.529348053695415)),
    ("pbdv[0]", (-0.5, 41.0)),
    ("struve", (-460.997306706288, 1283.8246827192588)),
    ("pbdv[0]", (120.3, 60.0)),
    ("pbdv[0]", (3.0, -50.0)),
    ("pbvv[0]", (0.0, -41.0)),
    ("pbvv[0]", (40.0, -52.0)),
    ("pbvv[0]", (120.3, 60.0)),
    ("nctdtr", (1e-15, -1.7, 2.0)),
    ("nctdtr", (1e-11, 9.0, 2.0)),
    ("eval_genlaguerre", (2.0, -29.5, 7.681062842344338)),
    ("eval_genlaguerre", (2.0, -1.999999999999377, 1.7075281661844957)),
    ("eval_genlaguerre", (16.0, -12.000013051632518, -0.19043380835034363)),
    ("eval_genlaguerre", (7.0, -4.000613176458748, 16.160134175015894)),
    ("eval_genlaguerre", (6.0, -0.9999999999986566, 5.621276420618897)),
    ("eval_genlaguerre", (9.0, -1.9999999969893045, 39.89780295134768)),
    ("eval_gegenbauer", (3.387380231599281e-15, -1.0000000000333689, 0.4999999999996043)),
    ("eval_jacobi", (2.7622896585211465, -4.000000000000008, 3.280960318137676, -0.6462757862771507)),
    ("eval_jacobi", (-1.0000043629499855, -0.999999999999968, 1.9999999910577377, 2.000000000708527)),
    ("eval_jacobi", (3.0, 0.0, 0.7, 0.99999999)),
    ("eval_sh_jacobi", (-28.000000000000107, 3.514589391115283, 2.403686765726974, 0.5585291170945574)),
    ("eval_sh_jacobi", (-1.9999999999077966, 5.146097033119569, 2.2524125952114775, 1.0000129242852736)),
    ("eval_sh_jacobi", (8.0, -1.0000002756091122, 3.5, 2.266439752076783)),
    ("eval_sh_jacobi", (12.0, -6.999998304138154, -6.5, 0.7932828344714875)),
    ("eval_jacobi", (12.0, -6.000002738375506, -3.000000002078978, 1.0000009289084608)),
    ("eval_jacobi", (6.0, -4.000000000000001, 0.0, -0.9999999910077286)),
    ("eval_jacobi", (8.0, -5.0, 6.0, 3.5328795041535663)),
    ("eval_jacobi", (6.0, 8.468755594483575e-05, -2.0000000000146483, -0.08932444637518255)),
    ("eval_gegenbauer", (30.0, -5.499999999909092, 1.169026482249115)),
    ("eval_gegenbauer", (5.0, -1.5, 2.0932399119703646)),
    ("eval_genlaguerre", (119.0, -8.0, 1.0000008656119137)),
    ("fdtr", (1.09e-89, 19.02, 2.07e-255)),
    ("fdtrc", (1e-9, 3.0, 1e-305)),
    ("owens_t", (20.5, -5.5)),
    ("hyperu", (4.239, 3992.0, 2570.0)),
    ("ncfdtr", (1.39e-202, 2.94e-16, 2.756, 6.02e-185)),
    ("ncfdtr", (1.590000272878856e-11, 0.7478678411540046, 20.52070069812374, 9.506013642592646e-295)),
    ("mathieu_modcem2[0]", (3.0, 8686.2, 1.4)),
    ("mathieu_modcem2[1]", (3.0, 8686.2, 1.4)),
    ("mathieu_modcem2[1]", (4.0, 7.66384316060422e-112, 6.243095457055799e-194)),
    ("pro_ang1_cv[0]", (2.0, 4.0, 2.0006, 21.606, -0.9999999)),
    ("pro_ang1_cv[1]", (2.0, 4.0, 2.0006, 21.6060920902194, -0.9999999)),
    ("kolmogorov", (-7.0,)),
    ("eval_sh_chebyu", (8.0, 1.7953514051807623e-16)),
    ("eval_sh_chebyu", (5.0, 5.269665340677379e-23)),
    ("eval_sh_chebyu", (2.5, 1e-13)),
    ("eval_sh_chebyt", (2.5, 5e-23)),
    ("eval_sh_chebyt", (3.000000001, 1e-13)),
    pytest.param("hyperu", (5.59204758131767, 1.5752207561681412e-190, 4.325150896521679e-43), marks=EXHAUSTIVE),
    ("hyperu", (5.59, 0.0, 4e-43)),
    ("hyperu", (2.0, 0.0, 1e-11)),
    ("hyperu", (0.3, 2.0, 1e-13)),
    ("hyperu", (4.7, -2.0, 1e-20)),
    ("wright_bessel", (1697.8504211193915, 1.9471610776592008, 4.932028885469464)),
    ("wright_bessel", (1.3607518573581964e252, 3.6123372964819165, 6.390876255786674)),
    ("wright_bessel", (179.99988063070944, 90.00000001256224, 0.4999999999999769)),
    ("log_wright_bessel", (1.3, 1e6, 1e7)),
    ("log_wright_bessel", (0.7, 1e12, 1e10)),
    ("log_wright_bessel", (1169.2339325563646, 0.9644236178828468, 9.71154846475953)),
    ("eval_chebyt complex", (28.999999999996867, complex(-2.9999999999999916, -0.0))),
    ("eval_chebyu complex", (28.172777389644626, complex(-1.3246226722701289, 0.0))),
    ("eval_chebyu complex", (0.5000000097983716, complex(-1.0000000000206017, 0.0))),
    ("eval_chebyc complex", (26.885260869113505, complex(-2.4526878742579616, -0.0))),
    ("eval_sh_chebyt complex", (0.21468683176017078, complex(-1.0459075832885572e-14, -0.0))),
    ("eval_sh_legendre complex", (3.7615423863440007, complex(-6.138263633415459e-09, -0.0))),
    ("eval_jacobi complex", (0.5, 0.3, 0.4, complex(-1e5, 0.0))),
    ("lpmv", (0.0, 0.5, 1e15)),
    ("besselpoly", (210.5724015418827, 868.2762809928271, 2.833991628540443)),
    ("besselpoly", (122.44310459105603, 1.310745357892185e61, 292.1095187719624)),
    ("besselpoly", (250.0, 240.0, 3.0)),
    ("airy[1]", (-46105920.5138448,)),
    ("eval_sh_jacobi", (1.124561704921363e-283, 3.747007370017821e-105, 4.268013358153746, 0.8617525608535423)),
]
"""Cases and arguments at which it found wrong values or derivatives; these are right now, or warned of."""


def kinds_of(name, i):
    kinds = ["ordinary", *list(KINDS)[1 + NAMES.index(name) % SAMPLE :: SAMPLE]]
    return kinds[:2] if i == 0 else [kinds[(i + 1) % len(kinds)]]


@pytest.mark.parametrize("name", NAMES)
def test_sample(name):
    scan = Scan()
    cases = [case for case in CASES if base_of(case) == name]
    for i, case in enumerate(cases):
        for kind in kinds_of(name, i):
            for args in points(case, kind, 1, 1):
                compare(case, kind, args, 1.5, scan)
    if not scan.counts["compared"] + scan.counts["told"]:  # on a busy machine no reference was ready in time
        for args in points(cases[0], "ordinary", 1, 1):
            compare(cases[0], "ordinary", args, 60.0, scan)
    assert not scan.wrong
    assert scan.counts["compared"] + scan.counts["told"] > 0


@pytest.mark.parametrize(("name", "args"), FOUND)
def test_what_was_wrong(name, args):
    scan = Scan()
    compare(next(case for case in CASES if case.name == name), "ordinary", args, 60.0, scan)
    assert not scan.wrong
    assert scan.counts["compared"] + scan.counts["told"] > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_every_kind(name):
    scan = scanned(name, 6, SEED, 5.0)
    assert not scan.wrong, f"WIRTINGER_SEED={SEED}"
    assert scan.counts["compared"] + scan.counts["told"] >= 10


def test_every_ufunc_has_a_reference():
    assert set(NAMES) <= {base_of(case) for case in CASES}


@pytest.mark.parametrize(
    ("name", "args", "is_seen"),
    [
        ("jv", (1.5, 2.5), False),
        ("jv wrong", (1.5, 2.5), True),
        ("gamma", (-1.5,), False),
        ("gamma wrong", (2.5,), True),
    ],
)
def test_what_is_wrong_is_seen(name, args, is_seen, monkeypatch):
    base, _, is_wrong = name.partition(" ")
    if is_wrong:
        right = getattr(special, base)
        monkeypatch.setattr(special, base, lambda *x: right(*x) * (1 + 1e-9))
    scan = Scan()
    compare(next(case for case in CASES if case.name == base), "ordinary", args, 5.0, scan)
    assert bool(scan.wrong) == is_seen
    assert is_seen or scan.counts["compared"] == 1 + len(args)


@pytest.mark.parametrize("name", ["iv", "ive", "jv", "jve"])
def test_infinite_orders_and_arguments_have_no_derivative(name):
    assert np.isnan(grad(getattr(special, name))(np.inf, np.inf))


@pytest.mark.parametrize("name", ["iv", "ive", "jv", "jve"])
@pytest.mark.parametrize(("v", "z"), [(np.inf, 1e300), (np.inf, 3.0), (5e307, 1e300), (1e308, 1e200)])
def test_no_derivative_is_left_of_orders_far_beyond_the_argument(name, v, z):
    assert jvp(lambda v: getattr(special, name)(v, z), (v,), (1.0,))[1] == 0
    assert jvp(lambda v: getattr(special, name)(v, complex(z)), (v,), (1.0,))[1] == 0


def test_a_wrong_exception_is_seen(monkeypatch):
    def fails(*args):
        raise IndexError

    monkeypatch.setattr(special, "j0", fails)
    scan = Scan()
    compare(next(case for case in CASES if case.name == "j0"), "infinite", (mp.inf,), 1.0, scan)
    assert "IndexError" in scan.wrong[0]


@pytest.mark.parametrize(("kind", "least", "largest"), [("huge", 3.0, 1e3), ("tiny", 1e-9, 1e-2), ("whole", 0.0, 2.0)])
def test_points_come_nearer_until_they_can_be_compared(kind, least, largest):
    drawn = points(next(case for case in CASES if case.name == "exp10"), kind, 100, 1)
    sizes = [abs(next(drawn)[0])] + [abs(drawn.send("out of range")[0]) for _ in range(60)]
    assert max(sizes[:20]) > largest or min(sizes[:20]) < least
    assert all(least * (1 - 1e-12) <= size <= largest for size in sizes[40:])
    sizes = [abs(drawn.send("compared")[0]) for _ in range(38)]
    assert max(sizes[20:]) > largest or min(sizes[20:]) < least


@pytest.mark.parametrize(("a", "x"), [(3.5, 2.0), (3.5, 9.0), (0.3, 1e-3), (1e3, 1.1e3)])
def test_references_of_incomplete_gamma_functions(a, x):
    with mp.workdps(40):
        found = gamma_parts(mp.mpf(a), mp.mpf(x))
        expected = mp.gammainc(a, 0, x, regularized=True), mp.gammainc(a, x, mp.inf, regularized=True)
        assert all(mp.almosteq(*pair, rel_eps=1e-25) for pair in zip(found, expected, strict=True))


@pytest.mark.parametrize(("a", "b", "x"), [(3.5, 2.0, 0.3), (0.5, 9.0, 0.25), (9.0, 0.5, 0.75), (1e3, 1.1e3, 0.5)])
def test_references_of_incomplete_beta_functions(a, b, x):
    with mp.workdps(40):
        found = beta_parts(mp.mpf(a), mp.mpf(b), mp.mpf(x))
        expected = [mp.betainc(a, b, *ends, regularized=True) for ends in ((0, x), (x, 1))]
        assert all(mp.almosteq(*pair, rel_eps=1e-25) for pair in zip(found, expected, strict=True))
