"""The option that selects the sandbox for learners' code."""

import argparse
import os
from collections.abc import Sequence

from autograder.sandbox.option import NAMES, VARIABLE


class Choose(argparse.Action):
    """Stores the name in the environment for the judges' processes."""

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
