"""Recurrent layers, and the loops of two decoders with their backward passes written out."""
