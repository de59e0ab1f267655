"""Benchmarks: the library against a naive loop, the grader against stock nbgrader, and the build of the book."""
