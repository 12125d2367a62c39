"""Third-party code: makes packages that do not know this one differentiable.

`wirtinger.scipy` and `wirtinger.rebound` run the code of SciPy and other packages with this package in NumPy's place;
`compat.autograd` provides autograd's interface, `compat.scipy.sparse` sparse arrays, `compat.random` NumPy's
generators.
"""

__all__: list[str] = []
