"""Where cosines, sines and ones are in the middle factor of a cosine-sine decomposition."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np

from ...backends.constants import constant
from ..elementary.triangles import like

RIGHT: Final = constant(np.pi / 2, lambda mp: mp.pi / 2)
"""The right angle."""


@final
class Layout:
    """Where angles are in the middle factor of `m` rows, with a first block of `p` rows and `q` columns."""

    __slots__ = ("m", "n11", "n12", "n21", "n22", "p", "q", "r", "swap")

    def __init__(self, p: int, q: int, m: int, swap: bool) -> None:
        self.p, self.q, self.m, self.swap = p, q, m, swap
        self.r = r = min(p, q, m - p, m - q)
        self.n11, self.n12 = min(p, q) - r, min(p, m - q) - r
        self.n21, self.n22 = min(m - p, q) - r, min(m - p, m - q) - r

    def middle(self, theta: Any) -> Any:
        """The middle factor."""
        sizes = (self.p, self.q, self.m, self.swap)
        positions = like(theta, _positions, *sizes)
        up, low, left, right = (positions[i] for i in range(4))
        cos, sin = np.cos(theta)[..., None], np.sin(theta)[..., None]
        sign = -1 if self.swap else 1
        return (
            like(theta, _ones, *sizes)
            + up.T @ (cos * left - sign * sin * right)
            + low.T @ (cos * right + sign * sin * left)
        )

    def angles(self, theta: Any) -> tuple[Any, Any, Any, Any]:
        """The angles of the columns of `u1`, `u2`, `v1` and `v2`."""
        positions = like(theta, _positions, self.p, self.q, self.m, self.swap)
        rows, columns = theta @ (positions[0] + positions[1]), theta @ (positions[2] + positions[3])
        fixed = like(theta, _right_angles, self.p, self.q, self.m, self.swap)
        rows, columns = rows + fixed[0] * RIGHT(), columns + fixed[1] * RIGHT()
        return rows[..., : self.p], rows[..., self.p :], columns[..., : self.q], columns[..., self.q :]

    def rotation(self, m11: Any, m21: Any, theta: Any) -> Any:
        """`dtheta`."""
        positions = like(theta, _positions, self.p, self.q, self.m, self.swap)
        up, low, left = positions[0][:, : self.p], positions[1][:, self.p :], positions[2][:, : self.q]
        sign = -1 if self.swap else 1
        of_sines = np.real(np.sum((low @ m21) * left, axis=-1)) * sign
        return np.cos(theta) * of_sines - np.sin(theta) * np.real(np.sum((up @ m11) * left, axis=-1))


def _positions(dtype: str, p: int, q: int, m: int, swap: bool) -> Any:
    """For each angle its row in the upper and in the lower blocks, and its column in the left and in the right ones."""
    layout = Layout(p, q, m, swap)
    starts = (layout.n11, p + layout.n22, layout.n11, q + layout.n22)
    return np.stack([np.eye(layout.r, m, start, dtype) for start in starts])


def _ones(dtype: str, p: int, q: int, m: int, swap: bool) -> Any:
    """The part of the middle factor that no angle enters."""
    layout = Layout(p, q, m, swap)
    n11, n12, n21, n22, r = layout.n11, layout.n12, layout.n21, layout.n22, layout.r
    sign = -1 if swap else 1
    d = np.zeros((m, m), dtype)
    d[:n11, :n11] = np.eye(n11)
    d[p : p + n22, q : q + n22] = np.eye(n22)
    d[n11 + r : p, q + n22 + r :] = -sign * np.eye(n12)
    d[p + n22 + r :, n11 + r : q] = sign * np.eye(n21)
    return d


def _right_angles(dtype: str, p: int, q: int, m: int, swap: bool) -> Any:
    """1 at the rows and at the columns with a right angle that is not among the angles."""
    layout = Layout(p, q, m, swap)
    r = layout.r
    fixed = np.zeros((2, m), dtype)
    fixed[0, layout.n11 + r : p] = fixed[0, p + layout.n22 + r :] = 1
    fixed[1, layout.n11 + r : q] = fixed[1, q + layout.n22 + r :] = 1
    return fixed
