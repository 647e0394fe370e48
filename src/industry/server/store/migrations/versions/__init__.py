"""One module per change of the database, each naming the one before."""
