"""Standing orders at the tables of a server: kept, obeyed, shown to their authors alone."""
