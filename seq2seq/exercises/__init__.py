"""Answers to tasks of the exercises that are no part of the library, and that no page shows."""
