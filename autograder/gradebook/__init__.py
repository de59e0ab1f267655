"""Verdicts → nbgrader's gradebook, its graded notebooks and its feedback pages."""
