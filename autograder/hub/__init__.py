"""A JupyterHub for the course: one to try on this machine, and what is wrong with one."""
