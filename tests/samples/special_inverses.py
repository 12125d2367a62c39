"""Samples of inverses of noncentral distributions in the arguments that their other samples hold."""

from __future__ import annotations

from wirtinger import special

from .special import some

some("ncfdtridfd", lambda c, f: special.ncfdtridfd(3.0, 0.6, 1 + c / 20, 2.2 + f / 20), "unit", "right", label="last")
some(
    "ncfdtridfn",
    lambda d, c: special.ncfdtridfn(0.52, 5 + d / 20, 1.5 + c / 20, 1.25),
    "right",
    "right",
    label="degrees",
)
some("ncfdtrinc", lambda n, f: special.ncfdtrinc(3 + n, 5.0, 0.2, 1.2 + f / 5), "right", "right", label="last")
some("nctdtridf", lambda t: special.nctdtridf(0.77, 0.8, 2 + t / 20), "right", label="last")
