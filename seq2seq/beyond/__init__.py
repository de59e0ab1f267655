"""What the same attention does beyond translation."""
