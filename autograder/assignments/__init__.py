"""From what instructors write to what learners receive: ``solutions/`` → ``exercises/``."""
