"""The classes that the grading benchmarks grade, the graders they compare, and the measurements."""
