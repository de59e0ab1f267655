# %% [markdown] like="chen"
# Lena: right, saved by an editor that begins a file with a byte order mark.
