"""What a traced array is apart from its value: made, indexed, viewed, written into, handed to foreign code."""

from . import creation as creation
from . import inplace as inplace
from . import structure as structure
from . import subclasses as subclasses
from . import views as views

__all__: list[str] = []
