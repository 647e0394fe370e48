"""The report on games: one HTML page for people who do not program."""
