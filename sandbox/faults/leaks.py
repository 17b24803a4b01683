"""Check that nobody is shown what they may not know.

The stored game says which texts are secret and who may read them: its events have audiences, its open
question has seats, and seats have people. The check compares this with every call to Telegram.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from pydantic_core import to_json

from bot.display.buttons import read
from bot.display.expansions import SHOWN
from bot.display.history import remembered, whisper
from bot.display.prompts import label
from bot.display.role_card import card, figure_line, role_popup
from bot.display.telling import Telling
from bot.display.words import Words, bold
from bot.rooms.codec import SCHEMA, decode
from bot.rooms.model import Match
from bot.rooms.stored import read_log
from engine import SEATS, Event, Seat, dead_may_return, view
from engine.facts import Dealt, GameOver
from sandbox.telegram import Call, Telegram

Json = dict[str, Any]
#: A person's id, or None for everybody in the group.
Reader = int | None
#: Questions whose options reveal a secret although they are seats: the missing seat is Hitler's.
_TELLING = frozenset({"suspect"})
#: The kind of secret that nobody may know before the end, not even people who see all cards.
SEED = "the seed"


class Leaks:
    """Follow one room's game and check every call to Telegram that belongs to it.

    ``alone``: for a practice room, its person. Only their private chat belongs to it. ``elsewhere``: people
    who practise in other rooms. Their private chats do not belong to this room.
    """

    def __init__(
        self,
        telegram: Telegram,
        fail: Callable[[str], None],
        alone: int | None = None,
        elsewhere: Container[int] = (),
    ) -> None:
        self._telegram = telegram
        self._alone = alone
        self._elsewhere = elsewhere
        self._fail = fail
        self._body: Json = {}
        self._log: list[Event] = []
        self._players: list[Json] = []
        self._over = False
        self._question = 0
        #: Secret texts by their first word: the kind of secret, and the permitted readers.
        self._secrets: dict[str, dict[str, tuple[str, set[Reader]]]] = {}
        #: The people who may have buttons for a question, by the question's number.
        self._asked: dict[int, set[Reader]] = {}
        #: Dead players who may see all cards.
        self._watching: set[Reader] = set()
        telegram.after_call.append(self._judge)

    # --- what is secret -----------------------------------------------------------------------------------

    def follow(self, body: Json) -> None:
        """Note the secrets of a stored room, and who may read them from now on."""
        match = body.get("match")
        for dealt in (body.get("sealed"), match):
            if dealt:
                self._add(SEED, dealt["proof"]["seed"], ())
        for opened in (body.get("sealed") or {}).get("given_up", ()):
            self._add(SEED, opened, [None])
        if match is None:
            return
        self._body = body
        self._watching |= {match["players"][seat]["id"] for seat in self._watchers(body, match)}
        fresh = read_log(match["log"][len(self._log) :])
        self._log += fresh
        # A cancelled game also reveals its roles.
        over = match["cancelled"] or any(isinstance(event.fact, GameOver) for event in fresh)
        self._over = self._over or over
        seated = match["players"] != self._players
        # A new player may know everything that their seat knows. And names in texts may have changed.
        told = range(0 if seated else len(self._log) - len(fresh), len(self._log))
        if told:
            self._players = match["players"]
            self._tell(body, [self._log[number] for number in told])
        question = match["game"]["question"]
        if question is not None and (seated or question["number"] != self._question):
            self._question = question["number"]
            self._ask(body, question)

    def _watchers(self, body: Json, match: Json) -> Iterable[int]:
        """Return the dead seats that may see all cards, if the group and the rules allow it."""
        if body["settings"]["open_cards"] != "on" or not match["watching"]:
            return ()
        game = decode(to_json(body), SCHEMA).match
        assert game is not None
        alive = game.view(None).table.alive
        may = not dead_may_return(game.game.setup)
        return [seat for seat in match["watching"] if may and not alive[seat]]

    def _tell(self, body: Json, events: Iterable[Event]) -> None:
        """Note each seat's private texts about these events, including its role."""
        kinds = {Dealt, *SHOWN.whispers}
        private = [event for event in events if event.to and type(event.fact) in kinds]
        match = decode(to_json(body), SCHEMA).match if private else None
        if match is None:
            return
        for seat in sorted({seat for event in private for seat in event.to or ()}):
            seen, mine = view(self._log, seat), [event for event in private if seat in (event.to or ())]
            for words in self._languages(body):
                self._tell_seat(match, Telling(seen, match.players, words), seat, mine)

    def _tell_seat(self, match: Match, telling: Telling, seat: Seat, events: Iterable[Event]) -> None:
        person = match.players[seat].id
        reader: list[Reader] = [] if person is None else [person]  # a computer has no reader
        for event in events:
            name = type(event.fact).__name__
            if told := whisper(telling, event.fact):
                self._add(name, told, reader)
            if not isinstance(event.fact, Dealt):
                continue
            if figure := figure_line(telling.words, match, seat):
                self._add(name, figure, reader)
            role, whose = telling.html(f"role.{event.fact.role}"), telling.seat(seat)
            # The line that reveals this role at the end. It is secret before. (A claim is not a whole line.)
            line = telling.html("reveal.role", number=seat + 1, seat=whose, role=role)
            self._add(name, f"\n{line}", ())
        self._add("a role", role_popup(telling), reader)
        self._add("a role", card(telling, match), reader)

    def _ask(self, body: Json, question: Json) -> None:
        """Note who may have a question's buttons, and who may read which tile was chosen."""
        may: set[Reader] = {self._players[seat]["id"] for seat in question["seats"]} - {None}
        options = dict.fromkeys(option for given in question["options"] for option in given)
        tiles = [option for option in options if isinstance(option, str) and option not in SHOWN.verbs]
        if not (tiles or question["meeting"] or question["step"] in _TELLING):
            may.add(None)
        self._asked.setdefault(question["number"], set()).update(may)
        for words in self._languages(body) if tiles and not question["changeable"] else ():
            for tile in tiles:
                record = words.html(f"answered.{question['step']}", choice=bold(label(words, (), tile)))
                self._add("a choice", record, may)

    def _languages(self, body: Json) -> list[Words]:
        settings = body["settings"]
        spoken = {settings["language"], *(player["language"] for player in self._players)}
        return [Words(language, settings["theme"]) for language in sorted(spoken)]

    def _add(self, what: str, text: str, readers: Iterable[Reader]) -> None:
        alike = self._secrets.setdefault(text.partition(" ")[0], {})
        alike.setdefault(text, (what, set()))[1].update(readers)

    # --- what is shown ------------------------------------------------------------------------------------

    def _judge(self, call: Call, answer: Json) -> None:
        if self._over or (reader := self._reader(call)) is _NOBODY:
            return
        if reader in self._elsewhere or self._alone not in (None, reader):
            return
        params = call.params
        for text in (params.get("text"), params.get("caption")):
            if text and (what := self._shown(text, reader)):
                self._fail(f"leak: {call.method} to {call.chat} tells {what} to somebody who may not know it")
        for row in (params.get("reply_markup") or {}).get("inline_keyboard", ()):
            for button in row:
                if not self._may_answer(button.get("callback_data", ""), reader):
                    self._fail(
                        f"leak: {call.method} to {call.chat} asks somebody who may not know what is asked"
                    )
                    return
        if reader is None and params.get("protect_content"):
            self._fail(f"leak: {call.method} to {call.chat} shows everybody what the bot marks as secret")

    def _reader(self, call: Call) -> Reader | object:
        """Return who sees a call's text: a person, None for the group, or ``_NOBODY``."""
        params = call.params
        if call.method == "answerCallbackQuery":
            query = self._telegram.queries.get(params.get("callback_query_id", ""))
            return _NOBODY if query is None else query.user.id
        if call.chat is None:
            return _NOBODY
        return call.chat if call.chat > 0 else None

    def _shown(self, text: str, reader: object) -> str | None:
        """Return the kind of secret that a text tells a reader who may not know it, or None."""
        if self._told(text, reader) is None:
            return None
        # A permitted text can begin with a forbidden one, as a text about three tiles begins like one about
        # one.
        for alike in self._secrets.values():
            for secret, (_, readers) in alike.items():
                if reader in readers:
                    text = text.replace(secret, "")
        # A forbidden text can also be one that the reader knows for another reason.
        for line in self._recalled(reader) if self._log else ():
            text = text.replace(line, "")
        return self._told(text, reader)

    def _recalled(self, reader: object) -> Iterator[str]:
        """Yield the lines with which the bot repeats to a person all that their seat saw."""
        match = decode(to_json(self._body), SCHEMA).match
        assert match is not None
        for seat, player in zip(SEATS, match.players, strict=False):
            for words in self._languages(self._body) if player.id == reader else ():
                telling = Telling(view(self._log, seat), match.players, words).compact
                facts = (event.fact for event in self._log if event.to is not None and seat in event.to)
                yield from filter(None, (remembered(telling, fact) for fact in facts))

    def _told(self, text: str, reader: object) -> str | None:
        for word, alike in self._secrets.items():
            if word in text:
                for secret, (what, readers) in alike.items():
                    if reader in self._watching and what != SEED:
                        continue
                    if reader not in readers and secret in text:
                        return what
        return None

    def _may_answer(self, data: str, reader: object) -> bool:
        if not data.startswith("answer|"):
            return True
        said = read(data)
        return said is None or reader in self._asked.get(said[2][1], ())


_NOBODY = object()
