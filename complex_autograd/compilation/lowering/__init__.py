"""What the C machine runs of a program: which instructions, as which loops, in which segments."""

__all__: list[str] = []
