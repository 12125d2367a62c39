"""The level `schedule` on the CPU: the operand layout with which each family of operations meets it."""

from __future__ import annotations

from .layouts import additions, contiguous, diagonal_sums, elementwise, method, others_contiguous, reduction
from .ways import Wrapper

_SHARES = (
    "special.log_softmax",
    "special.logsumexp",
    "special.softmax",
    "special.log_sum_exp",
    "special.log_sum_of_exponentials",
    "special.normalized_exponentials",
    "special.log_normalized_exponentials",
)

WRAPPERS: dict[str, Wrapper] = {
    **dict.fromkeys(("arithmetic rounded once", "rounded functions", "powers", "selection past NaN"), elementwise),
    **dict.fromkeys(("extrema", "products", "running products"), reduction),
    **dict.fromkeys(("sums", "means"), additions),
    "other ufunc methods": method,
    "trace": diagonal_sums,
    "linalg.trace": contiguous,
    **dict.fromkeys(("scattered sums", "scattered products", "scattered extrema"), others_contiguous),
    **dict.fromkeys(("LU", "Cholesky", "QR", "SVD", "symmetric eigenvalues", "Schur forms", "eigenvalues"), contiguous),
    **dict.fromkeys(
        ("other linear algebra", "FFT", "special functions", "compositions", "weighted counts"), contiguous
    ),
    **dict.fromkeys(("linalg.matrix_norm", "linalg.vector_length"), reduction),
    **dict.fromkeys(
        _SHARES,
        reduction,
    ),
    "random numbers": contiguous,
}
"""By the row of the policy table, or by the operation where it differs from its family."""
