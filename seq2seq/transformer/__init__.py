"""Self-attention, and the Transformer that is made of it."""
