"""Hard attention: one position at a time."""
