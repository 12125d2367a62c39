"""NumPy's own test files, run against another namespace in NumPy's place.

NumPy's wheel ships its tests. `layout.copy_suite` copies them into a scratch folder and, file by file, `substitution.substitute`
turns ``import numpy as np`` into ``import wirtinger as np``. `comparison.compare` runs a file of the original copy and of
the substituted copy side by side, each in its own pytest process with NumPy's settings, and reports every test whose outcome
differs from NumPy's. From the folder ``tests``::

    python -m numpy_suite                                    # every file
    python -m numpy_suite linalg/tests/test_linalg.py        # one file
    python -m numpy_suite --namespace some_other_package
"""
