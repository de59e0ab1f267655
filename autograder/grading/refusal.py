"""What cannot be done as asked."""


class UsageError(Exception):
    """What was asked for cannot be done as asked; the message is one clear line."""
