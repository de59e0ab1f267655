# %% [markdown] like="ada"
# Jun: ends the interpreter where the output annoyed him.

# %% after="location_scorer"
import os

os._exit(0)
