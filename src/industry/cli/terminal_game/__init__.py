"""The game in the terminal: people among bots or players who move at random."""
