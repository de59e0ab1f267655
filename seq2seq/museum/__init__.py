"""The bug museum: bugs of public code, reproduced; the same code fixed; and inputs that tell the two apart."""
