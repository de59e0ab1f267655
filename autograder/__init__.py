"""Checks, sandbox, judge and gradebook of the course *Learning to Align*."""
