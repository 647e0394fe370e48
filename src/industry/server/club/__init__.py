"""The club: persons, their ratings, cups. All of it is optional for the operator."""
