"""NumPy's own test files, run against another namespace in NumPy's place.

NumPy's wheel ships its tests.  `layout` copies them into a scratch folder, where `substitution` turns
``import numpy as np`` into ``import wirtinger as np``.  `comparison` runs a file as it was and as substituted, side by
side, each in a pytest process of its own with NumPy's settings, and reports the tests that end otherwise than with
NumPy.  In the folder ``tests``::

    python -m numpy_suite                                    # every file
    python -m numpy_suite linalg/tests/linalg/test_linalg.py        # one file
    python -m numpy_suite --namespace another_package
"""
