# %% [markdown] like="chen"
# Rosa: right, with a cell copied twice, in a notebook made for another kernel.
