"""Local attention: a window of positions."""
