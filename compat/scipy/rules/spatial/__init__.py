"""`scipy.spatial`: distances, and rotations."""

from . import distances as distances
from . import rotations as rotations

__all__: list[str] = []
