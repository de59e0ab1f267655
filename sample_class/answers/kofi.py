# %% [markdown] like="ada"
# Kofi: right, but the upload broke off in the middle.
