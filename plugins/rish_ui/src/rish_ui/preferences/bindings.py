"""The keys of actions that a player has chosen, and how they become those of `Input`.

An action is named by player and name: player 0 has the actions that all players share, player 1 and later ones their
own. Without players in the manifest, player 1 is player 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rish_core import Input, UnknownName, UsageError
from rish_core.loop import KEY_NAMES, key_index

Actions = dict[str, list[str]]
Chosen = Mapping[tuple[int, str], Sequence[str]]
"""Keys by player and action."""


class Defaults:
    """The keys that the manifest gives. shared: of all players. players: each player's own."""

    def __init__(self, shared: Mapping[str, Iterable[str]], players: Sequence[Mapping[str, Iterable[str]]]) -> None:
        self.shared: Actions = {action: [*keys] for action, keys in shared.items()}
        self.players: list[Actions] = [{action: [*keys] for action, keys in own.items()} for own in players]

    def of(self, player: int) -> Actions:
        """Return the actions of a player, from 1, with the shared ones; 0: the shared ones. Raises UnknownName."""
        number = self.number(player)
        return self.shared | self.players[number - 1] if number else self.shared

    def number(self, player: int) -> int:
        """Return the number of a player here. Raises UnknownName for one that does not exist."""
        if player == 0 or (player == 1 and not self.players):
            return 0
        if not 0 < player <= len(self.players):
            there = f"1 to {len(self.players)}" if self.players else "none"
            raise UnknownName(f"there is no player {player!r}: players in `input:` are {there}, and 0 is for all")
        return player

    def keys(self, player: int, action: str) -> list[str]:
        """Return the keys of an action. Raises UnknownName."""
        known = self.of(player)
        if action not in known:
            raise UnknownName(f"no action is called {action!r}", given=action, choices=known)
        return known[action]

    def has(self, player: int, action: str) -> bool:
        """Whether the game has the action of that player."""
        return player <= len(self.players) and action in self.of(player)


def checked_keys(keys: Iterable[str]) -> list[str]:
    """Return names of keys without aliases and repetitions. Raises UnknownName and UsageError."""
    if isinstance(keys, str):
        raise UsageError(f"the keys of an action are a list, such as ['{keys}']")
    return [*dict.fromkeys(map(name_of, keys))]


def name_of(key: str) -> str:
    """Return the name of a key; the key may be an alias, such as 1 for KEY_1. Raises UnknownName."""
    return KEY_NAMES[key_index(key)]


def is_key(name: object) -> bool:
    """Whether a value is the name of a key."""
    try:
        return isinstance(name, str) and bool(name_of(name))
    except UnknownName:
        return False


def bring(keys: Input, chosen: Chosen) -> bool:
    """Give actions the chosen keys; return whether anything was different. Other actions keep theirs."""
    players = [] if len(keys.players) == 1 and keys.players[0] is keys else [*keys.players]
    different = [
        (player, action)
        for (player, action), wanted in chosen.items()
        if (keys.actions if player == 0 else players[player - 1].actions).get(action) != wanted
    ]
    if not different:
        return False
    shared = {action: [*given] for action, given in keys.actions.items()}
    own = [{a: [*given] for a, given in each.actions.items() if keys.actions.get(a) != given} for each in players]
    for player, action in different:
        (shared if player == 0 else own[player - 1])[action] = [*chosen[player, action]]
    keys.set_actions(shared, own)
    return True


def conflicts_of(actions: Mapping[str, Sequence[str]], usual: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the keys that several actions have, with these actions.

    Two actions that have a key in common as the game is made may have keys in common.
    """
    using: dict[str, list[str]] = {}
    for action, keys in actions.items():
        for key in checked_keys(keys):
            using.setdefault(key, []).append(action)
    together = {
        frozenset((one, other))
        for one, keys in usual.items()
        for other, others in usual.items()
        if one != other and set(keys) & set(others)
    }
    found: dict[str, list[str]] = {}
    for key, sharing in using.items():
        bad = [a for a in sharing if any(b != a and frozenset((a, b)) not in together for b in sharing)]
        if bad:
            found[key] = bad
    return found
