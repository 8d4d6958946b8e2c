"""Makes the models of the game from code; see `make_models.py`."""
