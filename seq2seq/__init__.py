"""Attention for sequence-to-sequence models: the library of the course *Learning to Align*.

Import from the modules directly: nothing is re-exported here, so that an exercise can be given
the modules upstream of its answer without the answer itself.
"""
