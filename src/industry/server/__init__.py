"""Tables that people and bots play at over a network: seats, clocks, store, wire protocol."""
