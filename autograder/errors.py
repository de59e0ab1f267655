"""What stops a command because of what it was asked."""


class UsageError(Exception):
    """The request cannot be carried out; the message is one line that says why."""
