"""Beam search: the search, its handling of decoder states, length penalties, its tree."""
