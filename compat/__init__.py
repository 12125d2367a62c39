"""Other people's interfaces, with derivatives."""
