"""Learners' submissions, read without trust and repaired where the intent is clear."""
