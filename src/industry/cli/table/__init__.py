"""The table in the terminal: people among players who move at random."""
