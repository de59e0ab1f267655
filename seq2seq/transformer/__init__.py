"""Self-attention, and the Transformer built from it."""
