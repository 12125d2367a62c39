"""The QR factorization."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.errors import NotDifferentiableError
from ..complex_autograd.array import raw
