"""Environments for learning: PettingZoo, Gymnasium, OpenSpiel, and thousands of games at once.

All of them have the same observations, actions and rewards.
"""
