"""The small C library of the package, optional: it is built at install where a C compiler is found.

`build` compiles `sources/`, one shared object an instruction set; `library` loads the one that the machine runs;
`ufuncs` makes ufuncs of its loops.  Without it, everything works as with it, on NumPy and SciPy alone.
"""

__all__: list[str] = []
