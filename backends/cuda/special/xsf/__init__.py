"""SciPy's C++ code, xsf, from CuPy's package, and CUDA C of our own for what it has not."""

__all__: list[str] = []
