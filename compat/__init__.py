"""Other people's code: what lets packages that know nothing of this one be differentiated."""

__all__: list[str] = []
