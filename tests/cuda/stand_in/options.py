"""What the stand-in can be told, by the environment."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """How programs run."""

    order: int = 0
    """CUDA_STAND_IN_ORDER: a seed; not 0, and blocks and threads run in a random order."""
    guard: int = 0
    """CUDA_STAND_IN_GUARD: 1 for a page that cannot be read behind every allocation, 2 before it; no memory pool."""
    devices: int = 2
    """CUDA_STAND_IN_DEVICES: how many there are."""
    memory: int = 8 << 30
    """CUDA_STAND_IN_MEMORY: the bytes of each."""
    cache: Path = Path(sys.prefix) / "cuda-stand-in"
    """CUDA_STAND_IN_CACHE: where compiled kernels are kept."""


def from_environment() -> Options:
    """The options that the environment sets."""
    numbers = {
        name: int(os.environ[f"CUDA_STAND_IN_{name.upper()}"])
        for name in ("order", "guard", "devices", "memory")
        if os.environ.get(f"CUDA_STAND_IN_{name.upper()}")
    }
    cache = os.environ.get("CUDA_STAND_IN_CACHE")
    return Options(**numbers, **({"cache": Path(cache)} if cache else {}))
