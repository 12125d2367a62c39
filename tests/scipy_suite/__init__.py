"""SciPy's own tests of linear algebra and special functions, run against our functions in the place of SciPy's.

SciPy's wheel ships its tests.  `layout` copies them into a scratch folder, where `substitution` makes their imports of
`scipy.linalg` and `scipy.special` imports of what stands in `harness`: our functions for those whose meaning is
SciPy's, and SciPy's own for everything else.  They run and are compared by `numpy_suite`.  In the folder ``tests``::

    python -m scipy_suite                                    # every file
    python -m scipy_suite linalg/tests/test_solvers.py       # one file
"""
