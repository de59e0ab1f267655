"""What somebody handed in: which file is the notebook, what lies beside it, which exercise it is; for every door."""
