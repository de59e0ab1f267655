"""One submission → its verdict, made in a process that no learner's code ever enters."""
