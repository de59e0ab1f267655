"""Errors in what the user asked for."""


class UsageError(Exception):
    """The request cannot be carried out; the message is one line that says why."""
