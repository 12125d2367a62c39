"""Print `docs/determinism.md`: ``python -m wirtinger.determinism > docs/determinism.md``."""

from .documentation import policy_table_markdown

print(policy_table_markdown(), end="")
