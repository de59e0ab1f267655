"""What the grading benchmark grades, and the two ways in which it does."""
