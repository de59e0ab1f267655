"""The common naive implementation of these models: the same mathematics and parameters in Python loops.

It follows popular tutorials: one decoder step per iteration of a Python loop, the keys projected again at every step,
the output layer and the loss inside the loop, batches of random sentences padded to the longest, and translation one
sentence and one hypothesis at a time.
"""
