"""CUDA C sources of our own: compiled when they are first launched, and launched on the current stream.

`function(source, name)` is a kernel of a source, and `launched` starts it; `elementwise_source` writes the kernel of an
elementwise function, and `elementwise` runs it on arrays that broadcast.
"""

from __future__ import annotations

from .compilation import OPTIONS, function, source_text
from .elementwise import elementwise, elementwise_source
from .launches import launched

__all__ = ["OPTIONS", "elementwise", "elementwise_source", "function", "launched", "source_text"]
