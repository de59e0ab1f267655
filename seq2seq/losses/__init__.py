"""Additions to the loss, in the form that :func:`seq2seq.training.train` expects."""
