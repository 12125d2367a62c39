"""What depends on the version of NumPy."""

from __future__ import annotations

from typing import Final

import numpy as np

EIG_IS_COMPLEX: Final = np.linalg.eigvals(np.zeros((1, 1))).dtype.kind == "c"
"""Whether eigenvalues and eigenvectors of real matrices are complex where all are real, too: from NumPy 2.5 on."""
