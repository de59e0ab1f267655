"""Trained models that translate the reader's own sentence in a page, in plain JavaScript, without a kernel or a server.

Python packs a model into one script (``packing.py``) and joins the scripts of a page (``bundle.py``); what computes in
the browser is in the ``.js`` files beside them, equal to the library by tests.
"""
