"""A class → its verdicts, in order or in parallel, stored so that none is ever lost."""
