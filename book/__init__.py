"""The book: its chapters, and what builds them."""
