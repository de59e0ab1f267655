"""The option for the gradebook's address."""

import argparse

HELP = "the gradebook, as postgresql:///NAME (default: that of nbgrader_config.py, else gradebook.db in --output)"


def add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", default="", metavar="ADDRESS", help=HELP)
