"""The hooks of rish_audio; importing this module loads neither numba nor miniaudio."""

from __future__ import annotations

from rish_core import About


def rish_about() -> About:
    """Return the description of the plugin; it requires no other plugin."""
    return About(description="sound: sources, a listener, buses with effects, music", view=True)
