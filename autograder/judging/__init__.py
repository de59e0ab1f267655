"""Turns one submission into its verdict, in a process that never runs learners' code."""
