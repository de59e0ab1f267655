"""How a task is checked: run the answer and the reference on the same cases, then search for what the answer does."""
