"""The book: its chapters and the modules that build them."""
