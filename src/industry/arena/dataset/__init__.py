"""Games as tables: one row per game, seat, auction, bid, development and so on."""
