"""``python -m sandbox game``: play one whole game through the bot's entries, without a page."""

import argparse
import random
from dataclasses import replace

from bot.conversation.group import settings
from bot.conversation.lobby.lobby import items
from bot.display import buttons
from bot.display.buttons import CLOSE, MenuItem
from bot.rooms.codec import decode
from bot.rooms.model import Match, Room
from bot.rooms.names import ChatId, RoomName
from engine import OFFERED, Ruleset, waiting_on
from sandbox.buttons import data_with_verb, newest_with_button
from sandbox.harness import Harness, harness_in_memory
from sandbox.random_players import RandomPlayers
from sandbox.telegram import Chat, User, VirtualClock
from sandbox.telegram.model import Message

NAMES = [
    "Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo",
    "Ida", "Jonas", "Klara", "Leo", "Mia", "Noah", "Olga", "Paul",
]  # fmt: skip
#: Virtual seconds until a seat answers: from, to.
THINKING = (2.0, 15.0)
#: Virtual seconds between two taps in a lobby. Quicker taps would run into the group's limit of messages.
UNHURRIED = 9.0


def newest_ruleset(name: str) -> Ruleset:
    """Return the newest ruleset of this name. Raises ValueError if there is none."""
    for rules in OFFERED:
        if rules.name == name:
            return rules
    raise ValueError(f"no ruleset is called {name}; there are {', '.join(r.name for r in OFFERED)}")


def chosen_options(ruleset_name: str, players: int, wanted: str) -> dict[str, str]:
    """Return the options that ``wanted`` chooses: ``none``, ``all``, or names separated by commas.

    A bare name gets the option's last value that fits this many players; ``name=value`` names the value.
    Raises ValueError for an option that the ruleset does not have.
    """
    rules = newest_ruleset(ruleset_name)
    if wanted == "none":
        return {}
    names = list(rules.options) if wanted == "all" else wanted.split(",")
    chosen = {}
    for name, _, value in (part.partition("=") for part in names):
        if name not in rules.options:
            raise ValueError(f"{ruleset_name} has no option {name}")
        fitting = [v for v in rules.options[name].values if rules.options[name].refuses(v, players) is None]
        chosen[name] = value or fitting[-1]
    return chosen


def taps_to_choose(room: Room, key: str, value: str) -> list[str]:
    """Return the callback data of the taps that set an item of the room's lobby to a value, in order.

    Raises ValueError if the room has no lobby, or if the lobby does not have this item or value.
    """
    if room.lobby is None:
        raise ValueError(f"{room.title} has no lobby")
    things = items(room, room.lobby)
    number = [item.key for item in things].index(key) + 1
    if things[number - 1].value == value:
        return []
    where, lobby = room.name, room.lobby.number
    steps = (0, 0), *turns(things[number - 1], number, value), (CLOSE, 0)
    return [buttons.data(where, "setup", lobby, *step) for step in steps]


def turns(item: MenuItem, number: int, value: str) -> list[tuple[int, int]]:
    """Return the taps (item, value) that set the item of this number to a value.

    An item with few values moves to its next value with each tap. An item with many values needs one tap to
    list them and one to choose.
    """
    place = item.values.index(value) + 1
    if not item.next_place:
        return [(number, 0), (number, place)]
    taps = []
    while item.value != value:
        taps.append((number, item.next_place))
        item = replace(item, value=item.values[item.next_place - 1])
    return taps


class Stuck(RuntimeError):
    """The game is not over, but nobody must answer and no wake-up is queued."""


class GroupGame:
    """A group that plays one game."""

    def __init__(self, harness: Harness, players: int, seed: int) -> None:
        self.harness = harness
        self.rng = random.Random(seed)
        self.people: list[User] = [harness.telegram.add_user(name, started=True) for name in NAMES[:players]]
        self.group: Chat = harness.telegram.add_group("The Reichstag", self.people)
        self.players = RandomPlayers(harness.telegram, self.people, self.rng, self.group, self._asked_people)

    def say(self, user: User, text: str) -> None:
        """Write a message in the group as ``user``, and let the bot handle it."""
        self.harness.telegram.send(user, self.group, text)
        self.harness.settle()

    def open(self, ruleset_name: str = "classic", options: str = "none", computers: int = 0) -> None:
        """Open a lobby, seat everybody and some computers, choose the rules, and start, all by buttons."""
        host = self.people[0]
        self.say(host, "/newgame")
        self.choose("ruleset", newest_ruleset(ruleset_name).id)
        for user in self.people:
            self.press(user, "join")
        self.add_computers(computers)
        for name, value in chosen_options(ruleset_name, len(self.people) + computers, options).items():
            self.choose(name, value)
        self.press(host, "start")
        self.harness.wait_for_deal(lambda: self.room().sealed is not None)

    def add_computers(self, wanted: int) -> None:
        """Tap the host's button until the lobby has ``wanted`` computers; one tap can add several."""
        while (lobby := self.room().lobby) is not None and lobby.computer_count < wanted:
            self.press(self.people[0], "computers")

    def set(self, key: str, value: str) -> None:
        """Change a setting as the group's owner, by the buttons of /settings."""
        self.say(self.people[0], "/settings")
        things = settings.items(self.room())
        number = [item.key for item in things].index(key) + 1
        message = next(reversed(self.group.messages.values()))
        for at in turns(things[number - 1], number, value):
            self._tap(self.people[0], message, buttons.data(RoomName(ChatId(self.group.id)), "set", *at))

    def choose(self, key: str, value: str) -> None:
        """Set an item of the lobby to a value, by the buttons of its panel."""
        lobby = self._lobby("start")
        for data in taps_to_choose(self.room(), key, value):
            self._tap(self.people[0], lobby, data)

    def press(self, user: User, verb: str) -> None:
        """Tap the lobby's button with this verb, as ``user``."""
        lobby = self._lobby(verb)
        self._tap(user, lobby, data_with_verb(lobby, verb)[0])

    def _tap(self, user: User, message: Message, data: str) -> None:
        """Tap a button after a pause, and let the bot handle it."""
        clock = self.harness.clock
        if isinstance(clock, VirtualClock):
            clock.until(clock() + UNHURRIED)
            self.harness.settle()
        self.harness.telegram.tap(user, message, data)
        self.harness.settle()

    def _lobby(self, verb: str) -> Message:
        found = newest_with_button(self.group, verb)
        assert found is not None, f"no button says {verb}"
        return found

    def play(self) -> Match:
        """Play to the end, each seat answering after some virtual seconds. Raises Stuck."""
        clock = self.harness.clock
        while True:
            waiting = [
                (clock() + self.rng.uniform(*THINKING), i, w) for i, w in enumerate(self.players.prompts())
            ]
            if not waiting and (match := self.match()).over:
                return match
            if not waiting:
                # No person must answer, as in a Communist meeting.
                if (at := self.harness.queue.next_at) is None or not isinstance(clock, VirtualClock):
                    raise Stuck(f"round {match.round}: nobody is asked")
                clock.until(at)
                self.harness.settle()
            for moment, _, (user, message) in sorted(waiting):
                if isinstance(clock, VirtualClock):
                    clock.until(moment)
                if self.players.tap(user, message):
                    self.harness.settle()

    def _asked_people(self) -> tuple[int, ...]:
        match = self.room().match
        return () if match is None else tuple(s for s in waiting_on(match.game) if s in match.in_person)

    def match(self) -> Match:
        """Return the stored game."""
        match = self.room().match
        assert match is not None
        return match

    def room(self) -> Room:
        """Return the stored room, without counting the request."""
        counted = self.harness.requests.copy()
        item = self.harness.built.app.rooms.load_following(RoomName(ChatId(self.group.id)).key)
        self.harness.requests = counted
        assert item is not None
        return decode(item.body, item.schema)


def play(
    ruleset: str,
    players: int,
    seed: int,
    options: str = "none",
    ballots: str = "private",
    *,
    computers: int = 0,
) -> GroupGame:
    """Play a game to its end with people who answer at random.

    ``computers``: how many of the players are computers.
    """
    with harness_in_memory(seed=seed) as harness:
        game = GroupGame(harness, players - computers, seed)
        if ballots != "private":
            game.set("ballots", ballots)
        game.open(ruleset, options, computers)
        game.play()
        return game


def transcript(game: GroupGame) -> str:
    """Return the texts of the group's messages, in order."""
    return "\n\n".join(view.text for view in game.harness.telegram.chat_view(game.group) if view.text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``python -m sandbox game``."""
    parser.add_argument("--ruleset", default="classic", choices=[rules.name for rules in OFFERED])
    parser.add_argument("--players", type=int, default=7)
    parser.add_argument(
        "--options", default="none", help="none, all, or option names separated by commas (default: none)"
    )
    parser.add_argument("--ballots", default="private", choices=settings.BALLOTS)
    parser.add_argument("--seed", type=int, default=1)


def run(args: argparse.Namespace) -> None:
    """Play one game, and print its transcript."""
    print(transcript(play(args.ruleset, args.players, args.seed, args.options, args.ballots)))
