"""What computes the values, and what every public function of linear algebra has in common."""

__all__: list[str] = []
