"""The keys of actions that a player has chosen, and how they are applied to `Input`.

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
        self.players: list[Actions] = [{action: [*keys] for action, keys in actions.items()} for actions in players]

    def of(self, player: int) -> Actions:
        """Return the actions of a player, from 1, with the shared ones; 0: the shared ones. Raises UnknownName."""
        number = self.number(player)
        return self.shared | self.players[number - 1] if number else self.shared

    def number(self, player: int) -> int:
        """Return the index of a player in `Chosen`. Raises UnknownName for a player that does not exist."""
        if player == 0 or (player == 1 and not self.players):
            return 0
        if not 0 < player <= len(self.players):
            choices = f"1 to {len(self.players)}" if self.players else "none"
            raise UnknownName(f"there is no player {player!r}: players in `input:` are {choices}, and 0 is for all")
        return player

    def keys(self, player: int, action: str) -> list[str]:
        """Return the keys of an action. Raises UnknownName."""
        actions = self.of(player)
        if action not in actions:
            raise UnknownName(f"no action is called {action!r}", given=action, choices=actions)
        return actions[action]

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
    """Set the chosen keys of actions; return whether any of them changed. Other actions keep their keys."""
    players = [] if len(keys.players) == 1 and keys.players[0] is keys else [*keys.players]
    different = [
        (player, action)
        for (player, action), new_keys in chosen.items()
        if (keys.actions if player == 0 else players[player - 1].actions).get(action) != new_keys
    ]
    if not different:
        return False
    shared = {action: [*names] for action, names in keys.actions.items()}
    own_actions = [
        {action: [*names] for action, names in each.actions.items() if keys.actions.get(action) != names}
        for each in players
    ]
    for player, action in different:
        (shared if player == 0 else own_actions[player - 1])[action] = [*chosen[player, action]]
    keys.set_actions(shared, own_actions)
    return True


def conflicts_of(actions: Mapping[str, Sequence[str]], usual: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the keys that several actions share, with these actions. Two actions that share a key in the manifest may
    share keys.
    """
    using: dict[str, list[str]] = {}
    for action, keys in actions.items():
        for key in checked_keys(keys):
            using.setdefault(key, []).append(action)
    allowed = {
        frozenset((one, other))
        for one, keys in usual.items()
        for other, others in usual.items()
        if one != other and set(keys) & set(others)
    }
    conflicts: dict[str, list[str]] = {}
    for key, sharing in using.items():
        colliding = [a for a in sharing if any(b != a and frozenset((a, b)) not in allowed for b in sharing)]
        if colliding:
            conflicts[key] = colliding
    return conflicts
