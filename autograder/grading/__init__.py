"""Grades a class, serially or in parallel, and stores every verdict at once."""
