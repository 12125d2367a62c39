"""Calls of ufuncs with keywords, and their methods."""

from . import calls as calls
from . import outer_and_at as outer_and_at
from . import reductions as reductions

__all__: list[str] = []
