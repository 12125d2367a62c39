"""Print `docs/determinism.md`: ``python -m wirtinger.determinism > docs/determinism.md``.

With ``--digests [FILE]``, the digests of operations at each level on this machine, compared with the golden ones; with
``--accept``, take those of this machine as golden.
"""

import sys
from pathlib import Path

from . import golden
from .documentation import policy_table_markdown

if "--accept" in sys.argv:
    golden.write()
elif "--digests" in sys.argv:
    text, is_golden = golden.report(*map(Path, sys.argv[sys.argv.index("--digests") + 1 :][:1]))
    print(text)
    sys.exit(not is_golden)
else:
    print(policy_table_markdown(), end="")
