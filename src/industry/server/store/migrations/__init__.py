"""How the database came to be as it is; run at every start."""
