"""Speed: this library against the common naive loop, in one process."""
