"""Loops with a hand-written backward pass: the same results, several times faster on a CPU."""
