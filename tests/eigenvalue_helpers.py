"""Second derivatives in all combinations of the modes, for tests of eigenvalues."""

from __future__ import annotations

from wirtinger import grad, hvp, jvp, vjp

KINDS = [float, complex]


def second_derivatives(f, a, t, h):
    """In all four combinations of the modes; the first two are matrices, the last a number."""

    def along(a):
        return jvp(f, (a,), (t,))[1]

    return {
        "forward over reverse": lambda: hvp(f, (a,), (t,)),
        "reverse over reverse": lambda: vjp(grad(f), a)[1](t)[0],
        "reverse over forward": lambda: grad(along)(a),
        "forward over forward": lambda: jvp(along, (a,), (h,))[1],
    }
