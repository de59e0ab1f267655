"""The common naive way to write these models: the same mathematics and parameters, a Python loop for everything.

What is naive here is what popular tutorials do: one decoder step per Python step of the training loop, the keys
projected anew at every step, the output layer and the loss inside the loop, batches of random sentences padded to the
longest, and translation one sentence and one hypothesis at a time.
"""
