"""What instructors write, and what learners receive of it: ``solutions/`` → ``exercises/``."""
