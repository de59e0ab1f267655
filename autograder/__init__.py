"""Checks, sandbox, judge and gradebook of the course *Learning to Align*."""

import sys

# When nbformat imports jsonschema, that parses a grammar of international addresses: 0.9 s in every process, for a
# format that notebook schemas do not use. Without this package it leaves the format unchecked.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: not to be imported
