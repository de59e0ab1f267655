"""Answers to exercise tasks that are not part of the library and that no page shows."""
