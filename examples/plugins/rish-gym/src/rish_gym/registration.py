"""Makes the environment known to `gymnasium.make`."""

from __future__ import annotations

import gymnasium

ID = "rish/Game-v0"
"""The name for `gymnasium.make(ID, game=...)`; `rish_gym:rish/Game-v0` imports this package first."""

gymnasium.register(ID, entry_point="rish_gym.environment:Environment", vector_entry_point="rish_gym.vector:VectorEnv")
