"""The migrations of the database, run at every start."""
