"""After the game: watch it again step by step, and see what decided it, in private and from the archive."""

from __future__ import annotations

import pytest

from bot.records.frames import Replay, match_of
from sandbox.telegram import Message, User
from tests.system.table import Prompt, Seated, Table, answered, data_of, said
from tests.system.test_seats import forget


@pytest.fixture
def over(table: Table) -> Table:
    return table.elect_hitler()


def follow(table: Table, user: User, verb: str) -> Message:
    """Tap a button under the end, press Start, and return the message."""
    table.follow(user, table.press(user, verb))
    return Seated(table, user).views()[-1]


def replay(table: Table, user: User) -> Prompt:
    return Prompt(Seated(table, user), follow(table, user, "film"))


def steps(table: Table) -> int:
    return len(Replay(table.match()).frames)


def test_the_end_comes_beat_by_beat(over: Table) -> None:
    act, won, rest = over.group_views()[-3:]
    assert "The government is elected." in act.text
    assert "win!" not in act.text
    assert act.photo is None
    assert won.photo is not None
    assert won.text == "🏁 The Fascists win! Hitler was elected Chancellor."
    assert won.date - act.date >= 2, "after a pause"
    assert rest.text.startswith("🎭 Who was who")
    assert "engine.proof" not in "".join(over.group_texts()), "its digits are in private only"
    assert rest.labels() == ["▶️ Watch it again", "🔎 What decided it", "🔁 Again", "🔐 The proof"]
    assert over.tg.violations == []


def test_private_endings_come_after_the_pause_as_well(over: Table) -> None:
    won = over.group_views()[-2]
    for seat in range(5):
        assert over.seat(seat).views()[-1].date >= won.date


def test_a_game_is_stepped_through_in_one_message(over: Table) -> None:
    anna = over.people[0]
    before = len(Seated(over, anna).views())
    watched = replay(over, anna)
    assert watched.message.photo is not None
    assert f"Before the first round · step 1 of {steps(over)} · as the table saw it" in watched.text
    assert watched.labels()[:2] == ["2 ▶️", f"{steps(over)} ⏭"]
    seen = [watched.text]
    for _ in range(steps(over) - 1):
        watched.tap("▶️")
        seen.append(watched.text)
    assert len(set(seen)) == steps(over)
    assert "win!" in seen[-1]
    assert "Who was who" in seen[-1]
    assert not any("Who was who" in text or "drew" in text for text in seen[:-1])
    assert not any("▶️" in label for label in watched.labels()), "a button that can do nothing is not there"
    watched.tap("⏮")
    assert "Before the first round" in watched.text
    watched.tap("Round 1 ⏩") if "Round 1 ⏩" in watched.labels() else watched.tap("▶️")
    assert "Round 1 of 4" in watched.text
    watched.tap("Round 2 ⏩")
    assert "Round 2 of 4" in watched.text
    watched.tap("⏪ Round 1")
    assert "Round 1 of 4" in watched.text
    assert len(Seated(over, anna).views()) == before + 1, "all of it in one message"
    assert over.tg.violations == []


def test_one_tap_shows_it_as_it_was(over: Table) -> None:
    watched = replay(over, over.people[1])
    watched.tap("🎭 As it was")
    assert "as it was" in watched.text
    assert "Hitler" in watched.text
    for _ in range(3):
        watched.tap("▶️")
    assert "drew 🔵🟥🟥" in watched.text.replace("\xa0", " ")
    watched.tap("👁 As the table saw it")
    assert "drew" not in watched.text


def test_hurried_taps_are_shown_two_seconds_apart(over: Table) -> None:
    watched = replay(over, over.people[0])
    start = len(list(over.tg.journal.of("editMessageMedia")))

    def hurry(label: str) -> None:
        over.tg.tap(over.people[0], watched.message, data_of(watched.message, label))

    over.pass_time(10)
    hurry("▶️")
    over.harness.settle()
    first = watched.text
    hurry("▶️")
    hurry("⏭")
    assert watched.text == first
    over.harness.settle()
    over.wait(5)
    assert "win!" in watched.text
    made = list(over.tg.journal.of("editMessageMedia"))[start:]
    assert len(made) == 2
    assert made[1].time - made[0].time >= 2


def test_what_decided_it_is_told_in_private_with_its_picture(over: Table) -> None:
    texts = over.group_texts()
    message = follow(over, over.people[2], "decided")
    assert "What decided it" in message.text
    assert "👤" in message.text
    assert any(view.photo for view in Seated(over, over.people[2]).views()[-2:])
    assert over.group_texts() == texts, "the group is told nothing of it"
    Prompt(Seated(over, over.people[2]), message).tap("Watch it again")
    assert "Before the first round" in Seated(over, over.people[2]).text()


def test_games_lists_what_is_over_and_opens_it(over: Table) -> None:
    anna = Seated(over, over.people[0]).say("/games")
    assert "1. The Reichstag, 5 players: The Fascists 🏆" in said(anna.text())
    anna.press(label="🎬 1")
    assert "Before the first round" in anna.text()


def test_an_older_game_and_its_proof_are_still_there(over: Table) -> None:
    over.press(over.people[0], "rematch")
    over.start_dealt()
    ben = Seated(over, over.people[1]).say("/games")
    ben.press(label="🎬 1")
    ben.press(label="The proof")
    assert "python -m engine.proof" in ben.text()


def test_a_stranger_sees_nothing_of_it(over: Table) -> None:
    message = follow(over, over.people[0], "film")
    data = data_of(message, "▶️")
    stranger = over.tg.add_user("Zoe")
    over.tg.start_private(stranger)
    over.harness.settle()
    query = over.tap(stranger, Seated(over, stranger).views()[-1], data, forged=True)
    assert "no longer kept" in answered(query)


def test_a_link_opens_its_own_game_only(over: Table) -> None:
    message = follow(over, over.people[0], "film")
    older = data_of(message, "▶️")
    over.gather(5).start_dealt().hurry()
    assert over.match().number == 2
    stranger = over.tg.add_user("Zoe")
    over.follow(stranger, over.press(over.people[0], "film"))
    shown = Seated(over, stranger).views()[-1]
    assert "Before the first round" in shown.text
    assert "no longer kept" in answered(over.tap(stranger, shown, older, forged=True))


def test_games_of_people_who_were_forgotten_are_watched_by_seat(over: Table) -> None:
    for user in over.people:
        forget(over, user)
    watched = replay(over, over.people[0])
    watched.tap("⏭")
    assert "5 👤" in watched.text.replace("\xa0", " ")
    assert not any(user.first_name in watched.text for user in over.people)


def test_a_forged_button_leads_nowhere(over: Table) -> None:
    message, data = over.button("film")
    for args in ("99|1", "1|5", "1|99999999999999"):
        forged = "|".join([*data.split("|")[:2], args])
        query = over.tap(over.people[0], message, forged, forged=True)
        assert query.answer is not None
        if query.answer.url:
            over.follow(over.people[0], query.answer.url)
            assert "no longer kept" in over.seat(0).text()
        else:
            assert answered(query) == "That game is over."


@pytest.mark.parametrize("verb", ["step", "lookback", "opened"])
@pytest.mark.parametrize("number", [-1, 0, 10**16])
@pytest.mark.quick("0-step", "-1-lookback", "10000000000000000-opened")
def test_forged_buttons_in_private_change_nothing(over: Table, verb: str, number: int) -> None:
    message = follow(over, over.people[0], "film")
    room, game, ended = data_of(message, "▶️").split("|")[1:4]
    more = ["0", "0"] if verb == "step" else []
    for args in ([number, ended, *more], [game, number, *more]):
        data = "|".join(map(str, (verb, room, *args)))
        assert "no longer kept" in answered(over.tap(over.people[0], message, data, forged=True))
    if verb == "step":
        over.pass_time(5)
        for step in (number, 10**9):
            data = "|".join(map(str, (verb, room, game, ended, step, 7)))
            over.tap(over.people[0], message, data, forged=True)
            over.pass_time(5)
        assert "as it was" in message.text, "the nearest step that there is"
    assert over.tg.violations == []


def test_an_archive_makes_the_same_game_again(over: Table) -> None:
    archives = over.harness.built.app.private_chat.finished_games.archives
    (archive,) = archives.latest(over.item().key)
    match = match_of(archive.body, over.match().players)
    assert match.log == over.match().log
    assert match.won


def test_while_the_bot_is_busy_a_step_waits(over: Table) -> None:
    watched = replay(over, over.people[0])
    finished = over.harness.built.app.private_chat.finished_games
    pace, waits = finished.pace, [4.0]

    class Busy:
        def backlog(self) -> float:
            return waits[0]

        def take(self, count: int) -> None:
            assert count == 1, "a step is counted like whatever else the bot sends"

    finished.pace = Busy()  # type: ignore[assignment]
    before = watched.text
    watched.tap("▶️")
    assert watched.text == before
    waits[0] = 0.0
    over.wait(8)
    assert watched.text != before
    finished.pace = pace
