"""Ratings of persons: how strong they are, what is expected of a game, and how that came true."""
