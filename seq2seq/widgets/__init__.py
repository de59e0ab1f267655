"""Interactive figures: the same code runs in the built pages, without a kernel, and in a notebook.

A widget takes arrays, dataclasses or callables, and imports no model.
"""
