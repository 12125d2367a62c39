"""The tests that check the identity of NumPy's own objects, which no other namespace can pass, each with its reason."""

IDENTITY_TESTS: dict[str, str] = {}
