"""What kernels are made of: truncated Taylor series, recurrences, sums, contours, tridiagonal matrices."""

__all__: list[str] = []
