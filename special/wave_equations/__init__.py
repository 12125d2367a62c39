"""Functions of Mathieu, of the parabolic cylinder and of spheroids: the wave equation in their coordinates."""

__all__: list[str] = []
