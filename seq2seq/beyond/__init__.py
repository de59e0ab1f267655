"""Attention beyond translation."""
