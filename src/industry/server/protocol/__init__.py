"""What goes over the wire: models with a tag, from which schema and TypeScript types are made.

Seats count from 1 and fields are called `1A` to `5L`, as in game records. Moves are lines of the
record. The server sends codes and values; sentences are the client's, in the player's language.
"""
