"""Layers of encoders and decoders."""
