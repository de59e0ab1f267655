"""A process with limits that reads and renders submissions; no learner's code runs in it."""
