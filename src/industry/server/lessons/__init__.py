"""The lessons of the tutorial: scripted positions, each with one action that the engine checks."""
