"""``learn``: the learner's commands, on any machine with Python: start, check, progress, submit, doctor.

It imports nothing that only one operating system has, and needs neither the repository nor a sandbox.
"""
