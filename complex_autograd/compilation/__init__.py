"""`compile`: a function is run once on symbols, which record what it does; later calls run the record."""

__all__: list[str] = []
