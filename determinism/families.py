"""Which family an operation belongs to: an operation without a row of its own in the policy table has its family's.

Operations are named as the user calls them, without the package: ``add``, ``linalg.solve``, ``fft.ifft``,
``special.jv``. A method of a ufunc is ``add.at``; indexing is ``getitem`` and ``setitem``.
"""

from __future__ import annotations

from collections.abc import Iterator

MEMBERS = {
    "data movement": """
        append array array_split asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray atleast_1d
        atleast_2d atleast_3d block broadcast_arrays broadcast_to choose column_stack compress concat concatenate
        copy copyto delete diag diag_indices diag_indices_from diagflat diagonal dsplit dstack expand_dims extract
        eye fft.fftshift fft.ifftshift fill_diagonal flip fliplr flipud from_dlpack frombuffer fromiter full
        full_like getitem hsplit hstack identity imag indices insert ix_ linalg.block_diag linalg.circulant
        linalg.diagonal linalg.hankel linalg.matrix_transpose linalg.toeplitz mask_indices matrix_transpose meshgrid
        moveaxis ones ones_like packbits permute_dims place put putmask ravel ravel_multi_index real repeat require
        reshape resize roll rollaxis rot90 row_stack select split squeeze stack swapaxes take take_along_axis tile
        transpose tri tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from unpackbits
        unravel_index unstack vsplit vstack where zeros zeros_like""",
    "uninitialized memory": "empty empty_like",
    "assignment by index": "setitem put_along_axis",
    "comparisons and logic": """
        array_equal array_equiv bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or
        bitwise_right_shift bitwise_xor equal gcd greater greater_equal invert iscomplex isfinite isinf isnan isnat
        isneginf isposinf isreal lcm left_shift less less_equal logical_and logical_not logical_or logical_xor
        not_equal right_shift signbit""",
    "searching and counting": """
        all any argmax argmin argwhere count_nonzero digitize flatnonzero isin lexsort logical_and.reduce
        logical_or.reduce nanargmax nanargmin nonzero searchsorted""",
    "componentwise arithmetic": "add conj conjugate diff ediff1d negative positive subtract",
    "arithmetic rounded once": """
        abs absolute ceil copysign cross deg2rad degrees divide divmod fabs fix floor floor_divide fmod frexp
        heaviside kron ldexp linalg.cross linalg.outer mod modf multiply nextafter outer rad2deg radians reciprocal
        remainder rint sign spacing sqrt square true_divide trunc""",
    "rounded functions": """
        acos acosh angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cbrt cos
        cosh exp exp2 expm1 float_power hypot i0 log log10 log1p log2 logaddexp logaddexp2 sin sinc sinh tan tanh""",
    "powers": "pow power",
    "selection of the larger": "clip maximum minimum",
    "selection past NaN": "fmax fmin",
    "extrema": "amax amin max min nanmax nanmin ptp maximum.reduce minimum.reduce",
    "sums": "nansum sum add.reduce linalg.trace trace",
    "products": "nanprod prod multiply.reduce",
    "means": "average mean nanmean nanstd nanvar std var",
    "running sums": "cumsum cumulative_sum nancumsum add.accumulate",
    "running products": "cumprod cumulative_prod nancumprod multiply.accumulate",
    "scattered sums": "add.at scatter_add subtract.at",
    "scattered products": "divide.at multiply.at",
    "scattered extrema": "maximum.at minimum.at",
    "weighted counts": "bincount histogram histogram2d histogramdd",
    "sorting": "sort",
    "unique values": "unique",
    "sorting, by index": "argsort",
    "partition": "partition",
    "partition, by index": "argpartition",
    "matrix products": """
        dot einsum inner linalg.matmul linalg.multi_dot linalg.tensordot linalg.vecdot matmul matvec tensordot vdot
        vecdot vecmat""",
    "LU": """
        linalg.det linalg.inv linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve linalg.slogdet linalg.solve
        linalg.tensorinv linalg.tensorsolve""",
    "Cholesky": "linalg.cho_factor linalg.cho_solve linalg.cholesky linalg.cholesky_ex",
    "QR": """
        linalg.hessenberg linalg.householder_product linalg.lstsq linalg.qr linalg.qr_delete linalg.qr_insert
        linalg.qr_multiply linalg.qr_update linalg.rq""",
    "SVD": """
        linalg.cond linalg.matrix_rank linalg.null_space linalg.orth linalg.orthogonal_procrustes
        linalg.pinv linalg.polar linalg.subspace_angles linalg.svd linalg.svdvals""",
    "symmetric eigenvalues": """
        linalg.eig_banded linalg.eigh linalg.eigh_tridiagonal linalg.eigvals_banded linalg.eigvalsh
        linalg.eigvalsh_tridiagonal linalg.pinvh""",
    "eigenvalues": "linalg.eig linalg.eigvals linalg.ordqz linalg.qz linalg.schur",
    "randomized norm estimates": """
        linalg.fractional_matrix_power linalg.logm sparse.expm_multiply sparse.onenormest""",
    "random start vectors": "sparse.eigs sparse.eigsh sparse.svds",
    "sparse times vector": """
        sparse.bicg sparse.bicgstab sparse.cg sparse.gmres sparse.lsmr sparse.lsqr sparse.matvec sparse.minres
        sparse.qmr sparse.rmatvec""",
    "sparse times dense": "sparse.matmat",
    "sparse solves": "sparse.splu sparse.spsolve sparse.spsolve_triangular",
    "compositions": """
        allclose apply_along_axis apply_over_axes arange around astype bartlett blackman bmat convolve corrcoef
        correlate cov fromfunction geomspace gradient hamming hanning histogram_bin_edges interp intersect1d isclose
        kaiser linspace logspace median nan_to_num nanmedian nanpercentile nanquantile pad percentile piecewise poly
        polyadd polyder polydiv polyfit polyint polymul polysub polyval quantile real_if_close roots round setdiff1d
        setxor1d sort_complex trapezoid union1d unique_all unique_counts unique_inverse unique_values unwrap vander
        vectorize""",
}

PRIMITIVES = {
    "FFT": "complex_from_half half_spectrum transform",
    "data movement": """
        chosen columns_permuted conjugate_transpose copied erased flattened in_upper_right lower_triangle
        masked on_diagonal part_erased part_update permuted real_diagonal resized restored rows_taken shifted spread
        transfer twice_on_diagonal upper_triangle windows""",
    "assignment by index": """
        index_update""",
    "componentwise arithmetic": """
        diff_along""",
    "extrema": """
        max_over min_over nanmax_over nanmin_over running_extreme""",
    "sums": """
        sum_over""",
    "products": """
        prod_over""",
    "means": """
        mean_over mean_square root_mean_square""",
    "running sums": """
        cumsum_along""",
    "running products": """
        cumprod_last""",
    "scattered sums": """
        scatter scattered_band""",
    "weighted counts": """
        histogram_of_weights histogramdd_of_weights""",
    "matrix products": """
        contract einstein_sum""",
    "LU": """
        adjugate determinant inverse lu_solution packed_lu sign_and_logarithm solution""",
    "Cholesky": """
        cholesky_factor cholesky_solution unfinished""",
    "QR": """
        changed_qr jumping_vectors least_squares thin_qr""",
    "SVD": """
        condition definite_lyapunov polar_factors pseudoinverse range_basis singular_sum singular_values thin_svd
        truncated_pseudoinverse""",
    "symmetric eigenvalues": """
        banded_values forms_of_band hermitian_eigen hermitian_eigenvalues hermitian_pseudoinverse outer_band
        spectral_sum""",
    "eigenvalues": """
        eigen eigenvalue_sum eigenvalues finite_values generalized_schur_factors projective_values roots_of
        schur_factors""",
    "compositions": """
        adjugate_derivative banded_solution bessel_i complement convolution cross_product damped_stein finite
        gap_reciprocal gathered_band hermitian_from improved_value interpolate length_power log_sum lower_half
        mean_beside median_over mended modulus_power nan_unless_zero nanmedian_over nanpercentile_over
        nanquantile_over overlapped paired_values percentile_over picked points quantile_over radial radial_modulus
        recurrence sech_squared settled_beside sketched skew_from skew_gradient spiral spoilt step sums_at
        toeplitz_solution triangle_gradient unstacked vector_length weighted_half without_first""",
    "other linear algebra": """
        bunch_kaufman commuting commuting_back continuous_riccati cosine_sine_factors discrete_riccati exponential
        exponential_derivative hessenberg_factors hessenberg_turning hessenberg_turning_back known_root ldl_solution
        local_function local_derivative matrix_sign pencil_rotations pencil_rotations_back square_root stein_solution
        sylvester_solution triangular_solution""",
    "randomized norm estimates": """
        fractional_power logarithm""",
}
"""The engine's own operations, which rules are made of."""

PREFIXES = {
    "fft": "FFT",
    "linalg": "other linear algebra",
    "random": "random numbers",
    "sparse": "other sparse operations",
    "special": "special functions",
}

METHODS = {"accumulate", "at", "reduce", "reduceat"}

_FAMILY_OF = {op: family for table in (MEMBERS, PRIMITIVES) for family, ops in table.items() for op in ops.split()}


def rows_for(op: str) -> Iterator[str]:
    """Yield the names of the rows that may answer for an operation, the most special first.

    Examples
    --------
    >>> from wirtinger.determinism.families import rows_for
    >>> list(rows_for("fft.fftshift"))
    ['fft.fftshift', 'data movement', 'FFT']
    >>> list(rows_for("hypot.outer"))
    ['hypot.outer', 'hypot', 'rounded functions']
    >>> list(rows_for("hypot.at"))
    ['hypot.at', 'other ufunc methods']
    """
    yield op
    head, _, tail = op.partition(".")
    if tail == "outer" and head != "linalg":
        yield from rows_for(head)
    if op in _FAMILY_OF:
        yield _FAMILY_OF[op]
    if tail in METHODS:
        yield "other ufunc methods"
    if tail and head in PREFIXES:
        yield PREFIXES[head]
