"""How a task is checked: cases, the answer beside the reference, and the search for what an answer does instead."""
