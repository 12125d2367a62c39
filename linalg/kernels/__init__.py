"""What computes the values, and what every public function of linear algebra has in common."""
