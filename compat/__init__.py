"""Other people's code: what lets packages that know nothing of this one be differentiated.

`wirtinger.scipy` and `wirtinger.rebound` run SciPy's and others' own code with this package for its NumPy,
`compat.autograd` has autograd's interface, `compat.scipy.sparse` sparse arrays, `compat.random` NumPy's generators.
"""

__all__: list[str] = []
