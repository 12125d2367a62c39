"""Print `docs/tables/determinism.md`, ``python -m wirtinger.determinism > docs/tables/determinism.md``, or digests."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from . import golden
from .documentation import policy_table_markdown


def main() -> None:
    """What the command does."""
    parser = ArgumentParser(prog="python -m wirtinger.determinism", description="Without options: the policy table.")
    parser.add_argument(
        "--digests",
        nargs="?",
        const=golden.GOLDEN,
        type=Path,
        metavar="FILE",
        help="the digests of operations at each level on this machine; returns 1 where one at portable is not that of "
        "the file, by default the package's golden ones",
    )
    parser.add_argument("--accept", action="store_true", help="take the digests of this machine as golden")
    asked = parser.parse_args()

    if asked.accept:
        golden.write()
    elif asked.digests is not None:
        text, is_golden = golden.report(asked.digests)
        print(text)
        sys.exit(not is_golden)
    else:
        print(policy_table_markdown(), end="")


if __name__ == "__main__":
    main()
