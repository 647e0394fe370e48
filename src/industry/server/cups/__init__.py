"""Cups on a server: who takes part, making the tables of each round, collecting the results."""
