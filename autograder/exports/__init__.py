"""Grades for the systems that keep them, and learners' code for the tools that compare it."""
