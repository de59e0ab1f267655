"""The option that says which sandbox learners' code runs in."""

import argparse
import os
from collections.abc import Sequence

from autograder.sandbox.names import NAMES, VARIABLE


class Choose(argparse.Action):
    """Keeps the name in the environment, where the processes that judge find it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        os.environ[VARIABLE] = str(values)


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sandbox",
        action=Choose,
        choices=NAMES,
        help=f"where learners' code runs (default: ${VARIABLE}, else {NAMES[0]})",
    )
