"""SciPy's tests that our functions do not pass by design, with the reason."""

from __future__ import annotations

__all__ = ["EXCUSED"]

_OVERWRITING = {
    "TestQRdelete": """
        non_unit_strides_1_row non_unit_strides_p_row non_unit_strides_1_col overwrite_qr_1_row overwrite_qr_p_row
        overwrite_qr_1_col overwrite_qr_p_col overwrite_economic_qr_1_row overwrite_economic_qr_p_row""",
    "TestQRinsert": "overwrite_qu_rank_1 overwrite_qu_rank_p",
    "TestQRupdate": """
        overwrite_qruv_rank_1 overwrite_qruv_rank_1_economic overwrite_qruv_rank_p non_unit_strides_rank_1
        non_unit_strides_economic_rank_1""",
}
_BY_REASON = {
    "asserts that arguments are overwritten where `overwrite_qr=True` allows it; ours never change one": [
        f"linalg/tests/test_decomp_update.py::{group}_{kind}::test_{name}"
        for group, names in _OVERWRITING.items()
        for name in names.split()
        for kind in "fdFD"
    ],
    "asserts that `cho_factor` writes the factor over the matrix where `overwrite_a=True` allows it; ours does not": [
        f"linalg/tests/test_decomp_cholesky.py::TestChoFactor::test_overwrite_args[{lower}-{order}-float-True]"
        for lower in (True, False)
        for order in "CF"
    ],
    "asserts that an error names LAPACK's routine and its code; ours names the leading minor that is not positive": [
        f"linalg/tests/test_decomp_cholesky.py::TestChoFactor::test_non_posdef[{order}-{dtype}]"
        for order in "CF"
        for dtype in ("float32", "float64", "complex64", "complex128")
    ],
    "asserts other words of the error for matrices that are not square": [
        f"linalg/tests/test_decomp_cholesky.py::TestChoFactor::test_invalid_shape[shape{k}]" for k in range(3)
    ],
    "asserts that the flag which `cho_factor` returns beside a stack is an array; ours is one that `cho_solve` takes": [
        f"linalg/tests/test_batch.py::TestBatch::test_ldl_cholesky[{dtype}-fun_n_out2]"
        for dtype in ("float32", "float64", "complex64", "complex128")
    ],
    "asserts that an empty stack raises; ours gives an empty stack of matrices": [
        "linalg/tests/test_batch.py::TestBatch::test_zero_size_batch[toeplitz-args0]",
    ],
    "asserts a warning that several dimensions will make a stack from SciPy 1.19 on; with ours they do": [
        "linalg/tests/test_special_matrices.py::test_batch[hankel-args5]",
    ],
    "compares with SciPy 1.11, whose search stopped at 5e-4 to 2e-9 from the solution that mpmath confirms": [
        "special/tests/test_cdflib.py::test_nctdtrinc_gh19896",
    ],
    "asks `hyp2f1(112, 5.1, -0.9, -0.99999)` for ten digits of its value at the decimal fractions, -1.6e-24; at the "
    "numbers that are passed it is -1.5e-22, so ill-conditioned is it": [
        "special/tests/test_mpmath.py::test_hyp2f1_some_points_2",
    ],
}

EXCUSED = {test: reason for reason, tests in _BY_REASON.items() for test in tests}
"""The reason for each of them, by test id relative to SciPy's folder."""
