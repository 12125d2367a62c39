"""Distribution functions of statistics, central and noncentral, and their inverses in every argument."""

__all__: list[str] = []
