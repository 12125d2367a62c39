"""Functions that rearrange, join, select and write elements."""

from . import arranging as arranging
from . import diagonals as diagonals
from . import intervals as intervals
from . import joining as joining
from . import padding as padding
from . import selection as selection
from . import sorting as sorting
from . import writing as writing

__all__: list[str] = []
