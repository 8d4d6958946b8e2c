"""The lobby: a screen over a game in which people host, join, get ready and chat. It needs rish-ui.

Its widgets are in a World of their own, so they are no state of the game, which has to be the same on all machines.
"""
