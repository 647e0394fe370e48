"""How a net learns from the judge what positions between rounds are worth.

These modules have their own folder, so that machine code is not compiled again when they change.
"""
