"""Environments for learning: PettingZoo, Gymnasium, OpenSpiel, and thousands of games at once.

All of them show the same observation, number the moves alike and reward the same things.
"""
