"""cuFFT by NumPy's transforms."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .exports import do_nothing, export
from .views import put, strided, vector

INVALID_TYPE, INVALID_SIZE = 3, 8
COMPLEX, FORWARD, BACKWARD = "complex", "real to complex", "complex to real"
_KINDS = {
    0x29: (COMPLEX, False), 0x2A: (FORWARD, False), 0x2C: (BACKWARD, False),
    0x69: (COMPLEX, True), 0x6A: (FORWARD, True), 0x6C: (BACKWARD, True),
}  # fmt: skip
"""cufftType: the kind, and whether it is in double precision."""


@dataclass
class Layout:
    """Where an array's elements stand: its extents in memory, the distances of elements and of transforms."""

    extents: list[int]
    step: int
    distance: int

    def view(self, address: int, shape: list[int], count: int, dtype: Any) -> Any:
        """The array."""
        strides = [self.step * prod(self.extents[axis + 1 :]) for axis in range(len(shape))]
        return strided(address, (count, *shape), (self.distance, *strides), dtype)


@dataclass
class Plan:
    """A transform of several arrays."""

    kind: str
    double: bool
    shape: list[int]
    count: int
    source: Layout
    target: Layout

    def run(self, source: int, target: int, direction: int) -> None:
        """Transform."""
        real, complex_ = (np.float64, np.complex128) if self.double else (np.float32, np.complex64)
        half = [*self.shape[:-1], self.shape[-1] // 2 + 1]
        axes = tuple(range(1, len(self.shape) + 1))
        a = self.source.view(
            source,
            half if self.kind == BACKWARD else self.shape,
            self.count,
            real if self.kind == FORWARD else complex_,
        ).copy()
        out = self.target.view(
            target,
            half if self.kind == FORWARD else self.shape,
            self.count,
            real if self.kind == BACKWARD else complex_,
        )
        if self.kind == FORWARD:
            out[...] = np.fft.rfftn(a, axes=axes)
        elif self.kind == BACKWARD:
            out[...] = np.fft.irfftn(a, s=self.shape, axes=axes, norm="forward")
        else:
            out[...] = np.fft.fftn(a, axes=axes) if direction == -1 else np.fft.ifftn(a, axes=axes, norm="forward")


PLANS: list[Plan | None] = []


def _plan(
    handle: int, kind: str, double: bool, shape: list[int], count: int, source: Layout | None, target: Layout | None
) -> int:
    if not 1 <= len(shape) <= 3 or count < 1 or min(shape) < 1:
        return INVALID_SIZE
    half = [*shape[:-1], shape[-1] // 2 + 1]
    dense_source, dense_target = (half if kind == BACKWARD else shape), (half if kind == FORWARD else shape)
    source = source or Layout(dense_source, 1, prod(dense_source))
    target = target or Layout(dense_target, 1, prod(dense_target))
    PLANS[handle] = Plan(kind, double, shape, count, source, target)
    return 0


@export("cufftCreate", "p")
def create(handle: int) -> None:
    """A plan that is not made yet."""
    PLANS.append(None)
    put(handle, len(PLANS) - 1)


do_nothing("cufftDestroy cufftSetStream cufftSetAutoAllocation cufftSetWorkArea")


@export("cufftMakePlan1d", "iiiip")
def make_plan_1d(handle: int, length: int, kind: int, count: int, work: int) -> int:
    """Transforms of vectors behind one another."""
    put(work, 0, np.uint64)
    return _plan(handle, *_KINDS[kind], [length], count, None, None) if kind in _KINDS else INVALID_TYPE


@export("cufftMakePlanMany", "iippiipiiiip")
def make_plan_many(
    handle: int, rank: int, n: int, inside: int, in_step: int, in_distance: int, outside: int, out_step: int,
    out_distance: int, kind: int, count: int, work: int,
) -> int:  # fmt: skip
    """With strides."""
    put(work, 0, np.uint64)
    if kind not in _KINDS:
        return INVALID_TYPE
    return _plan(
        handle, *_KINDS[kind], _numbers(n, rank, np.int32), count,
        _layout(inside, rank, in_step, in_distance, np.int32), _layout(outside, rank, out_step, out_distance, np.int32),
    )  # fmt: skip


@export("cufftXtMakePlanMany", "iippllipllilpi")
def make_plan_many_long(
    handle: int, rank: int, n: int, inside: int, in_step: int, in_distance: int, in_type: int, outside: int,
    out_step: int, out_distance: int, out_type: int, count: int, work: int, computed: int,
) -> int:  # fmt: skip
    """With 64-bit sizes and named types."""
    put(work, 0, np.uint64)
    complex_in, complex_out = in_type >= 4, out_type >= 4
    kind = COMPLEX if complex_in and complex_out else BACKWARD if complex_in else FORWARD
    return _plan(
        handle, kind, in_type in (1, 5), _numbers(n, rank, np.int64), count,
        _layout(inside, rank, in_step, in_distance, np.int64), _layout(outside, rank, out_step, out_distance, np.int64),
    )  # fmt: skip


def _numbers(address: int, count: int, dtype: Any) -> list[int]:
    return [int(number) for number in vector(address, count, 1, dtype)]


def _layout(extents: int, rank: int, step: int, distance: int, dtype: Any) -> Layout | None:
    return Layout(_numbers(extents, rank, dtype), step, distance) if extents else None


@export("cufftExecC2C cufftExecZ2Z cufftXtExec", "ippi")
def execute(handle: int, source: int, target: int, direction: int) -> int:
    """Transform."""
    plan = PLANS[handle]
    if plan is None:
        return 1
    plan.run(source, target, direction)
    return 0


@export("cufftExecR2C cufftExecD2Z cufftExecC2R cufftExecZ2D", "ipp")
def execute_real(handle: int, source: int, target: int) -> int:
    """Transform from or to real numbers."""
    return execute(handle, source, target, -1)


@export("cufftGetVersion", "p")
def get_version(out: int) -> None:
    """The number that CuPy asks for."""
    put(out, 12000)
