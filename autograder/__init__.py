"""Checks, sandbox, judge and gradebook of the course *Learning to Align*."""

import sys

# jsonschema, which nbformat imports, would parse a grammar of international addresses at its import: 0.9 s in every
# process, for a format that no notebook's schema has. Without that package it leaves this format unchecked.
sys.modules.setdefault("rfc3987_syntax", None)
