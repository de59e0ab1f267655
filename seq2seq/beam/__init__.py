"""Beam search: the search, what it keeps of the decoder, how it weighs length, its tree."""
