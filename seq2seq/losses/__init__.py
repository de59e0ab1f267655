"""Losses beside the masked one, in the form that :func:`seq2seq.training.train` expects."""
