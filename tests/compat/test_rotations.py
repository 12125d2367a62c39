"""Rotations and rigid transforms of `scipy.spatial.transform`."""

from __future__ import annotations

import numpy as np
import pytest

from compat_cases import REAL, Case, check_derivatives, draw, parameters
from wirtinger import NotDifferentiableError, grad, jacobian
from wirtinger.scipy.spatial.transform import RigidTransform, Rotation, RotationSpline, Slerp

Q, V, X = draw(4, 4), draw(4, 3, seed=1), draw(4, 3, seed=2)
AXES = np.eye(3)


def both(rotation):
    """As quaternions of one sign, and as matrices."""
    return np.concatenate([np.ravel(rotation.as_quat(canonical=True)), np.ravel(rotation.as_matrix())])


def turned(v):
    return Rotation.from_rotvec(v).as_matrix()


def moved(v):
    return RigidTransform.from_exp_coords(v).as_matrix()


CASES = [
    Case("quaternions", lambda q: both(Rotation.from_quat(q)), (Q,)),
    Case("one quaternion", lambda q: both(Rotation.from_quat(q)), (Q[0],)),
    Case("three axes", lambda q: Rotation.from_quat(np.reshape(q, (2, 2, 4))).as_matrix(), (Q,)),
    Case("scalar first", lambda q: Rotation.from_quat(q, scalar_first=True).as_quat(scalar_first=True), (Q,)),
    Case("matrices", lambda m: both(Rotation.from_matrix(m)), (turned(V),)),
    Case("no orthogonal matrices", lambda m: both(Rotation.from_matrix(m)), (turned(V) + 0.1 * draw(4, 3, 3),)),
    Case(
        "assumed orthogonal",
        lambda v: both(Rotation.from_matrix(Rotation.from_rotvec(v).as_matrix(), assume_valid=True)),
        (V,),
    ),
    Case("rotation vectors", lambda v: Rotation.from_rotvec(v).as_rotvec(), (V,)),
    Case("in degrees", lambda v: both(Rotation.from_rotvec(v, degrees=True)), (30 * V,)),
    Case("Rodrigues", lambda v: (Rotation.from_mrp(v) * Rotation.from_rotvec(V)).as_mrp(), (V,)),
    *[Case(f"from {s}", lambda v, s=s: both(Rotation.from_euler(s, v)), (V,)) for s in ("xyz", "ZYX", "zxz")],
    *[Case(f"to {s}", lambda q, s=s: Rotation.from_quat(q).as_euler(s), (Q,)) for s in ("xyz", "ZYX", "YXY")],
    Case("Davenport", lambda v: both(Rotation.from_davenport(AXES, "extrinsic", v)), (V,)),
    Case("to Davenport", lambda q: Rotation.from_quat(q).as_davenport(AXES, "intrinsic"), (Q,)),
    Case("inverse power", lambda q: both(Rotation.from_quat(q).inv() ** 1.7), (Q,)),
    Case("magnitude", lambda q: Rotation.from_quat(q).magnitude(), (Q,)),
    Case("applied", lambda q, x: Rotation.from_quat(q).apply(x), (Q, X)),
    Case("applied inverse", lambda x: Rotation.from_quat(Q).apply(x, inverse=True), (X,)),
    Case("mean", lambda q: both(Rotation.from_quat(q).mean()), (np.arange(4.0) + 0.3 * Q,)),
    Case("aligned", lambda x: both(Rotation.align_vectors(x, V)[0]), (X,)),
    Case("Slerp", lambda q, t: both(Slerp(range(4), Rotation.from_quat(q))(t)), (Q, np.array([0.3, 1.5, 2.9]))),
    Case("spline", lambda q: both(RotationSpline(np.arange(4.0), Rotation.from_quat(q))(np.array([0.3, 2.9]))), (Q,)),
    Case("part", lambda q: both(Rotation.from_quat(q)[1:3]), (Q,)),
    Case("joined", lambda q: both(Rotation.concatenate([Rotation.from_quat(q), Rotation.from_quat(Q)])), (2 * Q,)),
    Case("rigid", lambda v, x: RigidTransform.from_components(x, Rotation.from_rotvec(v)).as_matrix(), (V, X)),
    Case(
        "rigid matrix",
        lambda v: RigidTransform.from_matrix(moved(v)).as_dual_quat(),
        (draw(2, 6),),
    ),
    Case("screws", lambda v: (RigidTransform.from_exp_coords(v).inv() ** 0.5).as_exp_coords(), (draw(4, 6),)),
]


@pytest.mark.parametrize(("case", "kind"), parameters([Case(c.name, c.call, c.args, REAL) for c in CASES]))
def test_derivatives(case, kind):
    check_derivatives(case, kind)


def test_at_the_identity():
    """`d(R(v) x) = dv x x`."""
    found = jacobian(lambda v: Rotation.from_rotvec(v).apply(X[0]))(np.zeros(3))
    np.testing.assert_allclose(found, np.cross(np.eye(3), X[0]).T, atol=1e-15)
    np.testing.assert_allclose(
        jacobian(lambda v: Rotation.from_rotvec(v).as_rotvec())(np.zeros(3)), np.eye(3), atol=1e-15
    )


def test_an_orthogonal_matrix_is_as_one_beside_it():
    """Only the skew part of `H(m) dm` turns anything."""
    g = draw(3, seed=5)
    m = turned(V[0])
    found = m.T @ grad(lambda m: np.sum(g * Rotation.from_matrix(m).as_rotvec()))(m)
    np.testing.assert_allclose(found, -found.T, atol=1e-14)


def test_what_scipy_computes_otherwise_is_refused():
    group = Rotation.create_group("C4")
    with pytest.raises(NotDifferentiableError, match=r"_rotation_cy\.reduce has no derivative"):
        grad(lambda q: np.sum(Rotation.from_quat(q).reduce(group).as_matrix()))(Q)
