"""The bug museum: bugs of public code, re-created; the same code mended; and inputs that tell the two apart."""
