"""Functions of Bessel, Airy, Kelvin and Struve, their integrals, and all of them in their order."""

__all__: list[str] = []
