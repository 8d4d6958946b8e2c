"""Games that several people play over a network, for Rish.

Every public name is available here; a module is imported when one of its names is first used::

    from rish_net import Net, QuicTransport
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .game.net import Net
    from .game.prediction import Prediction
    from .game.roster import COLORS, ChatLine, Person, Profile, Roster
    from .game.seating import Autopilots, Joined, Left, Seats
    from .game.traffic import Traffic
    from .links.codes import key_of, new_code
    from .links.errors import LinkError
    from .links.invitation import Invitation
    from .links.lan import LanAnnouncement, LanBrowser, LanGame, lan_games
    from .links.link import Arrival, Arrived, Transport
    from .links.quic import QuicTransport
    from .links.simulated import LinkQuality, SimulatedTransport, SimulatedWay
    from .relay.relay import Relay, RelayLimits
    from .session.rollback import Game, Rollback
    from .session.session import Session
    from .settings import Mode, NetSettings, RewindBy, WhenLeft
    from .wire.errors import ProtocolError

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "game.net": "Net",
        "game.prediction": "Prediction",
        "game.roster": "COLORS ChatLine Person Profile Roster",
        "game.seating": "Autopilots Joined Left Seats",
        "game.traffic": "Traffic",
        "links.codes": "key_of new_code",
        "links.errors": "LinkError",
        "links.invitation": "Invitation",
        "links.lan": "LanAnnouncement LanBrowser LanGame lan_games",
        "links.link": "Arrival Arrived Transport",
        "links.quic": "QuicTransport",
        "links.simulated": "LinkQuality SimulatedTransport SimulatedWay",
        "relay.relay": "Relay RelayLimits",
        "session.rollback": "Game Rollback",
        "session.session": "Session",
        "settings": "Mode NetSettings RewindBy WhenLeft",
        "wire.errors": "ProtocolError",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
