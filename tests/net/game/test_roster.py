"""The list of people of a session, and the chat."""

from __future__ import annotations

import pytest

from rish_net.game.roster import COLORS, Profile, Roster
from rish_net.wire.errors import ProtocolError
from rish_net.wire.messages import CHAT, PEOPLE, PROFILE, pack


class Session:
    """A host and guests whose messages arrive at once."""

    def __init__(self, guests: int) -> None:
        self.host = Roster(hosts=True, started=False)
        self.guests = {number: Roster(hosts=False, started=False) for number in range(1, guests + 1)}
        for number in self.guests:
            self.host.enter(number)

    def to_guest(self, number: int, message: bytes) -> None:
        """Send a message of the host."""
        self.guests[number].receive(1, message, self.to_guest)

    def exchange(self) -> None:
        """Run a frame on all sides."""
        for number, guest in self.guests.items():
            guest.exchange({}, lambda _, message, number=number: self.host.receive(number, message, self.to_guest))
        self.host.exchange({0: (1, 0), **{number: (number + 1, 40) for number in self.guests}}, self.to_guest)

    def say(self, number: int, text: str) -> None:
        """Let a guest write."""
        self.guests[number].say(text, lambda _, message: self.host.receive(number, message, self.to_guest))


@pytest.fixture
def session() -> Session:
    """A host with two guests who know each other."""
    made = Session(2)
    made.exchange()
    made.exchange()
    return made


def test_all_see_the_same_people(session: Session) -> None:
    """Names, colors, ready marks, seats and pings of all are those that each one chose, on all machines."""
    session.guests[1].profile = Profile("Mia", 3, True)
    session.exchange()
    assert session.guests[1].own == 1
    for roster in (session.host, *session.guests.values()):
        mia = roster.people[1]
        assert (mia.name, mia.color, mia.ready, mia.seat, mia.ping) == ("Mia", 3, True, 2, 40)
        assert not roster.all_ready
    session.guests[2].profile.ready = True
    session.exchange()
    assert session.host.all_ready


def test_two_people_never_have_one_color(session: Session) -> None:
    """Each one who enters gets a free color; who wants a color of another one gets a free one."""
    session.guests[1].profile.color = session.host.people[0].color
    session.exchange()
    colors = [person.color for person in session.host.people.values()]
    assert len(set(colors)) == 3


def test_a_message_reaches_all(session: Session) -> None:
    """A line of a guest is in the chat of all, with name and color; control characters are gone."""
    session.guests[2].profile.name = "Tom"
    session.exchange()
    session.say(2, "Good\x07 luck\n")
    session.host.say("Thanks", session.to_guest)
    for roster in (session.host, *session.guests.values()):
        assert [(line.name, line.text) for line in roster.chat] == [("Tom", "Good luck"), ("", "Thanks")]


def test_who_writes_too_much_is_not_heard(session: Session) -> None:
    """A guest may send eight messages at once; the others are counted and dropped."""
    for number in range(40):
        session.say(1, str(number))
    assert len(session.guests[2].chat) <= 8
    assert session.host.refused >= 30


def test_nobody_speaks_for_another_one(session: Session) -> None:
    """What a guest says about the list of people is ignored, and its lines have its own number."""
    session.host.receive(1, pack(PEOPLE, rows=[], own=2, started=True), session.to_guest)
    session.host.receive(1, pack(CHAT, text="hello", number=0), session.to_guest)
    assert len(session.host.people) == 3
    assert not session.host.started
    assert session.guests[2].chat[-1].number == 1


@pytest.mark.parametrize(
    "row",
    [[1], [1, 9, "a", 0, True, 1], [1, 1, "a", len(COLORS), True, 1], [1, 1, 5, 0, True, 1], ["1", 1, "", 0, 0, 0]],
)
def test_a_wrong_list_is_refused(session: Session, row: list[object]) -> None:
    """Rows of wrong types, seats or colors end the link."""
    with pytest.raises(ProtocolError):
        session.guests[1].receive(1, pack(PEOPLE, rows=[row], own=1, started=False), session.to_guest)
    with pytest.raises(ProtocolError):
        session.host.receive(1, pack(PROFILE, name=3, color=0, ready=True), session.to_guest)


def test_a_profile_is_sent_once(session: Session) -> None:
    """Without a change nothing is sent, except new pings once a second."""
    sent: list[bytes] = []
    session.guests[1].exchange({}, lambda _, message: sent.append(message))
    session.host.exchange({0: (1, 0)}, lambda _, message: sent.append(message))
    assert sent == []
