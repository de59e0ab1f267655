"""Exports grades to other systems, and learners' code to tools that compare it."""
