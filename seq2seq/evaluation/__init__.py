"""Evaluation measures in addition to those of :mod:`seq2seq.metrics`."""
