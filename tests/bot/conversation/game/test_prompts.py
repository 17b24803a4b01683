"""Prompts say what is dangerous, what the candidates did before, who meets, and advice what a seat knows."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.conversation.game.announce import group_text
from bot.display.advice import advice_line
from bot.display.telling import Telling
from bot.display.words import Words
from bot.rooms.model import Player, Room
from engine import Option, Seat, View, question_for, view
from tests.bot.conversation.acts import choose, elected, prompt_of, says, wakes
from tests.bot.conversation.people import person
from tests.bot.conversation.replies import edits, posts, tells
from tests.bot.conversation.rooms import game, playing
from tests.bot.conversation.texts import read
from tests.engine.builders import EVEN_DECK, Play, open_question, with_veto
from tests.engine.rulesets.games import board, red_dawn, xl

FASCISTS = "⚠️ One more Fascist policy and the Fascists win."
LIBERALS = "⚠️ One more Liberal policy and the Liberals win."
COMMUNISTS = "⚠️ One more Communist policy and the Communists win."
CHAOS = "⚠️ If this election fails, the top policy is enacted."
BUGGING = ("bugging", None)
CONFESSION = {"communist": ("confession", None, None)}
VETO = "⚠️ With a veto, the top policy is enacted."


def prompt(room: Room, seat: int | None = None) -> list[str]:
    """Return the lines that a seat, else the first one that is asked, reads above its buttons."""
    return read(prompt_of(room, seat).text).splitlines()


def step(room: Room) -> str:
    return open_question(playing(room).game).step


def options(room: Room) -> tuple[Option, ...]:
    return open_question(playing(room).game).options[0]


# --- danger -------------------------------------------------------------------------------------------------

_WARNINGS = [("liberal", LIBERALS), ("fascist", FASCISTS), ("communist", COMMUNISTS)]
PARTIES = pytest.mark.parametrize(("colour", "warning"), _WARNINGS)


def one_left(colour: str) -> Play:
    """Return a game on a board of its own on which one more policy fills a track: a nomination is due."""
    return xl(6, board=board("xl@1", 6, tracks={colour: (None, None)})).govern(colour[0])


@PARTIES
def test_one_policy_from_winning_is_said_until_one_is_enacted(colour: str, warning: str) -> None:
    room = game(play=one_left(colour))
    others = {LIBERALS, FASCISTS, COMMUNISTS} - {warning}
    for expected in ("nominate", "ballot", "discard", "enact"):
        assert step(room) == expected
        lines = prompt(room)
        assert lines.count(warning) == 1
        assert others.isdisjoint(lines)
        if expected == "nominate":
            room, elect = choose(room, 2).room, elected(room, 2)
        elif expected == "ballot":
            room = elect
        else:
            room = choose(room, options(room)[0]).room


@PARTIES
def test_a_post_with_the_board_warns_once(colour: str, warning: str) -> None:
    for pictured in (True, False):
        room = game(play=one_left(colour), post_start=0, pictured=pictured)
        text = read(group_text(room, playing(room)))
        assert [text.count(each) for each in (LIBERALS, FASCISTS, COMMUNISTS)].count(0) == 2
        assert text.count(warning) == 1


def test_a_nomination_says_what_another_failed_vote_does() -> None:
    play = Play(5)
    assert CHAOS not in prompt(game(play=play.reject()))
    room = game(play=play.reject())
    assert step(room) == "nominate"
    assert prompt(room).count(CHAOS) == 1
    assert prompt(choose(room, play.choices[0]).room).count(CHAOS) == 1
    assert "🂠 Draw pile 17 · discard pile 0" in prompt(room), "to guess the top policy"
    early = Play(5, board=board("classic@1", 5, chaos=2)).reject()
    assert CHAOS in prompt(game(play=early)), "by the board's own limit"


def test_a_veto_that_brings_chaos_is_said_where_it_is_decided() -> None:
    play = with_veto(7, roles="llllffh").reject().reject()
    room = game(play=play.elect(play.harmless))
    assert VETO not in prompt(room), "the President cannot veto yet"
    room = choose(room, options(room)[0]).room
    assert prompt(room).count(VETO) == 1
    room = choose(room, "veto").room
    assert step(room) == "veto"
    assert prompt(room).count(VETO) == 1
    assert CHAOS not in prompt(room)


# --- what the candidates did --------------------------------------------------------------------------------


def test_a_ballot_recalls_what_its_candidates_enacted() -> None:
    play = Play(9, roles="lllllfffh", deck="lff lff lff lff").govern("l", 1).govern("l", 2)
    room = choose(game(play=play), 3).room  # Ada governed with Ben, Ben with Cleo, and Cleo nominates Dora
    told = {seat: [line for line in prompt(room, seat) if " with " in line] for seat in range(9)}
    assert told[5] == ["#3 Cleo 📜 🔵 with #2 Ben"]
    assert told[2] == [], "one's own is no news"
    assert told[3] == told[5]


def test_a_ballot_recalls_the_last_three_of_a_candidate() -> None:
    play = Play(5, roles="lllfh", deck=EVEN_DECK)
    for tile, chancellor in (("l", 1), ("l", 2), ("f", 1), ("l", 2), ("f", 1)):
        play.govern(tile, chancellor if chancellor in nominees(play) else None)
    play.nominate(play.choices[0])
    assert max(line.count(" with ") for line in prompt(game(play=play), play.waiting[-1])) == 3


def nominees(play: Play) -> tuple[object, ...]:
    return tuple(play.choices)


# --- meetings, and what befalls a seat ----------------------------------------------------------------------


def test_a_meeting_is_told_once_and_its_prompts_say_who_meets() -> None:
    play = red_dawn(9, deck="cfl cfl cfl cfl", board=board("red-dawn@1", 9, tracks={"communist": BUGGING}))
    room = game(play=play.elect(1).discard("f"))
    after = choose(room, "c")
    room = after.room
    match, news = playing(room), "🎧 Bugging: the Communists are meeting."
    assert sum(read(text).count("are meeting") for text in posts(after)) == 1
    assert news in read(posts(after)[-1])
    assert news in read(posts(says(room, person(0), "/history"))[0]), "not that they met, as long as they do"
    members = [seat for seat in range(9) if match.game.table.parties[seat] == "communist"]
    assert len(members) == 2
    for seat in members:
        assert len(tells(after, seat)) == 1, "who meets is no message of its own"
        (other,) = set(members) - {seat}
        lines = prompt(room, seat)
        name = match.players[other].name
        (meets,) = (line for line in lines if line.startswith("✊"))
        assert meets.startswith(f"✊ You meet as Communists with #{other + 1} {name}. ⏰ "), "until when"
        question = "🎧 Whose party membership do you want to see? Most picks decide; you can change yours."
        assert question in lines
    ended = wakes(room, after=61)
    assert "the Communists met." in read(posts(says(ended.room, person(0), "/history"))[0])
    told = [text for text in [*posts(ended), *edits(ended).values()] if "meeting" in text]
    assert [read(text).count("meeting") for text in told] == [1]
    (seat,) = {seat for seat in range(9) if question_for(playing(ended.room).game, Seat(seat))}
    assert "\n".join(prompt(ended.room, seat)).count("meeting") == 1


def test_a_lone_communist_reads_that_there_is_a_meeting() -> None:
    play = red_dawn(7, board=board("red-dawn@1", 7, tracks={"communist": BUGGING})).govern("c")
    (seat,) = [seat for seat in range(7) if play.table.parties[seat] == "communist"]
    told = [line for line in prompt(game(play=play), seat) if "the Communists are meeting." in line]
    assert [line.partition(" ⏰ ")[0] for line in told] == ["🎧 Bugging: the Communists are meeting."]


def test_the_recruited_read_their_party_and_how_it_wins() -> None:
    play = red_dawn(7, board=board("red-dawn@1", 7, tracks={"communist": ("recruitment", None)})).govern("c")
    (seat,) = [seat for seat in range(7) if play.table.parties[seat] == "communist"]
    (told,) = tells(wakes(choose(game(play=play), 0, seat).room, after=61), 0)
    changed, *ways = read(told).splitlines()[1:]
    told = "✊ You changed sides. You are now: Communist. From now on you win with your new"
    assert changed.startswith(told)
    smeared = "It also wins when Hitler is smeared."
    assert ways == ["Your party wins when the Communist track is full.", smeared]


def test_the_smeared_read_what_that_means() -> None:
    play = red_dawn(7, board=board("red-dawn@1", 7, tracks={"communist": ("smear", None)})).govern("c")
    assert "⚠️ If it is Hitler, the Communists win the game." in prompt(game(play=play))
    assert "is killed" not in advised(play, play.asked[0]), "a smear kills nobody"
    after = choose(game(play=play), 3)
    (told,) = [text for text in tells(after, 3) if "You were smeared" in text]
    assert "sit out the next two elections" in told
    assert not [text for text in tells(after, 4) if "You were smeared" in text]
    listed = "".join(map(read, posts(says(after.room, person(0), "/players"))))
    assert {line[:2] for line in listed.splitlines() if "☑️ not Hitler" in line} == {"#4"}, "the game went on"


# --- advice -------------------------------------------------------------------------------------------------


def advised(play: Play, seat: int) -> str:
    """Return the advice that a seat reads under its question."""
    people = tuple(Player(None, f"P{number}", "en") for number in range(play.setup.players))
    question = open_question(play.game, seat)
    return read(advice_line(Telling(view(play.events, Seat(seat)), people, Words()), question))


def test_advice_names_what_a_ballot_s_voter_knows_for_certain() -> None:
    play = Play(7, roles="llllffh", deck="lff lff lff").until_fascist(2)
    (looker,) = play.asked
    play.target(4 if looker != 4 else 5)
    seen = 4 if looker != 4 else 5
    play.nominate(seen) if seen in play.choices else play.nominate(play.choices[0])
    assert seen in (play.table.president, play.table.chancellor)
    told = f"🧭 You know that #{seen + 1} P{seen} is not of your party. That speaks for 👎 Nein."
    assert advised(play, looker) == told
    stranger = next(seat for seat in range(4) if seat not in (looker, play.table.president))
    assert "You know" not in advised(play, stranger)


def test_advice_to_a_fascist_names_its_fellows() -> None:
    play = Play(7, roles="llllffh").nominate(5)
    assert advised(play, 4).startswith("🧭 You know #6 P5: Fascist. ")
    play = Play(7, roles="llllffh").nominate(6)
    assert advised(play, 4).startswith("🧭 You know #7 P6: Hitler. ")
    assert "You know" not in advised(play, 6), "Hitler knows nobody at seven"
    play = Play(7, roles="fllllfh").nominate(6)
    assert advised(play, 0).startswith("🧭 You know #7 P6: Hitler. ")
    assert "whether you trust the other" not in advised(play, 0)


def test_only_fascists_are_asked_whether_they_want_hitler() -> None:
    for roles in ("llllffh", "lllfflh", "lflhlfl", "lllhlff"):
        play = Play(len(roles), roles=roles).ready(3)
        (seat,) = play.asked
        said = advised(play, seat)
        assert ("the game is over" in said) == (play.table.roles[seat] == "fascist")
        assert ("all is lost" in said) == (play.table.parties[seat] == "liberal")


def test_advice_makes_communists_fear_hitler_too() -> None:
    play = Play(7, "red-dawn@1", roles="lllflhc").nominate(1)
    play.doctored(tracks={**play.table.tracks, "fascist": ("fascist",) * 4})
    question = open_question(play.game, 6)
    people = tuple(Player(None, f"P{seat}", "en") for seat in range(7))
    known = view(play.events, Seat(6))
    known = View(Seat(6), replace(known.table.copy(), tracks=play.table.tracks), known.facts)
    assert "all is lost" in read(advice_line(Telling(known, people, Words()), question))


@pytest.mark.parametrize(("pile", "vetoed"), [("fascist", True), ("liberal", False)])
def test_a_hand_without_the_own_party_may_be_vetoed(pile: str, vetoed: bool) -> None:
    """A Liberal whose two Fascist policies both lost the game was told to enact the lesser evil."""
    play = with_veto(7, roles="llllffh")
    play.doctored(pile=(pile,) * len(play.table.pile))
    chancellor = next(seat for seat in play.choices if play.table.roles[seat] == "liberal")
    play.nominate(chancellor).vote("j" * play.voters).discard(pile)
    assert play.asked == (chancellor,)
    assert ("A veto discards both, if the President agrees." in advised(play, chancellor)) is vetoed


@pytest.mark.parametrize(("build", "ruleset", "track", "power", "hunting"), [
    (xl, "xl@1", "fascist", "kill", {"liberal", "communist"}),
    (red_dawn, "red-dawn@1", "communist", "smear", {"communist"}),
], ids=["kill", "smear"])  # fmt: skip
def test_a_power_hunts_hitler_for_whom_it_wins(
    build: Callable[..., Play], ruleset: str, track: str, power: str, hunting: set[str]
) -> None:
    """A Communist who knew Hitler was not told that this shot, or this smear, wins the game."""
    deadly = board(ruleset, 7, tracks={track: (power, None, None)})
    hunters = {}
    for first in range(7):
        play = build(7, roles="lllflhc", board=deadly, first=first).govern(track[0])
        (president,) = play.asked
        told = "If it is Hitler, the game is won." in advised(play, president)
        hunters[str(play.table.parties[president])] = told
    assert hunters == {party: party in hunting for party in ("liberal", "communist", "fascist")}


def test_advice_fears_no_hitler_whom_the_seat_knows_elsewhere() -> None:
    play = Play(7, roles="llllffh").ready(3)
    play.nominate(next(seat for seat in play.choices if seat < 4))
    assert "the game ends with the election" not in advised(play, 5)
    play = Play(7, roles="llllffh").ready(3)
    if 6 in play.choices:
        play.nominate(6)
        assert advised(play, 5) == "🧭 #7 P6 is Hitler: elected now, your party wins."


def test_first_advice_lets_a_fascist_trust_its_fellow() -> None:
    play = Play(7, roles="llllffh", first=0).nominate(6)
    assert "to a pair you distrust" in advised(play, 1)
    assert "to a pair you distrust" not in advised(play, 4), "it knows that the candidate is Hitler"
    assert "If this government helps your party" in advised(play, 4)


def test_a_fascist_near_its_defeat_is_told_to_prevent_it() -> None:
    play = xl(6, board=board("xl@1", 6, tracks={"liberal": (None, None)})).govern("l")
    asked = play.asked[0]
    warned = "One more policy of another party (Liberal) ends the game" in advised(play, asked)
    assert warned == (play.table.parties[asked] != "liberal")
    play.nominate(play.choices[0])
    for seat in play.asked:
        hides = play.table.parties[seat] != "liberal"
        assert ("One more policy of another party (Liberal) ends the game" in advised(play, seat)) == hides


def test_near_the_end_advice_names_what_wins_and_loses() -> None:
    """A Communist one policy from winning read only that the Liberals were one policy from it, too."""
    near = {"liberal": (None, None), "communist": (None, None)}
    play = xl(6, board=board("xl@1", 6, tracks=near)).govern("l").govern("c")
    play.nominate(play.choices[0])
    parties = {"liberal": "Communist", "communist": "Liberal"}
    for seat in play.asked:
        told, own = advised(play, seat), str(play.table.parties[seat])
        if seat in (play.table.president, play.table.chancellor):
            assert "You would" in told
        elif own in parties:
            assert "One more policy of your party wins the game for you" in told
            assert f"one more of another ({parties[own]}) loses it" in told
        else:
            assert "One more policy of another party (Liberal, Communist) ends the game" in told


def test_hitlers_election_is_not_the_only_danger() -> None:
    """A Liberal at 5 of 6 Communist policies read of nothing but Hitler."""
    play = Play(7).until_fascist(5)
    play.target(play.choices[0]).nominate(play.choices[0])
    for seat in play.asked:
        told = advised(play, seat)
        if play.table.parties[seat] == "liberal" and "all is lost if" in told:
            assert "One more policy of another party (Fascist) loses the game, too." in told
            break
    else:
        raise AssertionError("a Liberal fears Hitler")


def test_a_special_election_warns_of_hitler_too() -> None:
    """A Fascist who chose the next candidate read nothing of Hitler's election, though it won by then."""
    play = Play(7, board=board("classic@1", 7, tracks={"fascist": (None, None, "special", None, None, None)}))
    play.until_fascist(3)
    (caller,) = play.asked
    told = prompt(game(play=play), caller)
    assert "⚠️ The Fascists now win if Hitler becomes Chancellor." in told
    assert "nominates somebody, and the game ends if that is Hitler" in advised(play, caller)


def test_who_hides_a_party_votes_for_itself() -> None:
    play = Play(7, roles="llllffh", deck="lff lff lff").govern("l", 1).nominate(4)
    assert "You would govern yourself, which helps your party" in advised(play, 4)
    assert "You would govern yourself" not in advised(play, 0)


def test_who_confessed_has_nothing_to_hide() -> None:
    play = red_dawn(7, roles="fllllhc", board=board("red-dawn@1", 7, tracks=CONFESSION)).govern("c")
    play.nominate(play.choices[0])
    assert "Everybody knows your party" in advised(play, 0)
    assert "Everybody knows your party" not in advised(play, 6)


def test_what_was_known_may_be_out_of_date() -> None:
    recruit = board("red-dawn@1", 8, tracks={"communist": ("recruitment", None, None)})
    play = red_dawn(8, roles="llllffhc", board=recruit).nominate(5)
    assert "You know #6 P5: Fascist." in advised(play, 4)
    play.reject(5) if play.step == "nominate" else play.vote("n" * play.voters)
    play.govern("c", 2).clock().nominate(5)
    assert "You knew #6 P5: Fascist, but somebody may have changed sides since." in advised(play, 4)
    while play.view(None).table.president != 4:
        play.reject(play.choices[0]) if play.step == "nominate" else play.vote("n" * play.voters)
    told = advised(play, 4)
    assert "You know #7 P6: Hitler. You knew #6 P5: Fascist, but somebody may have changed sides" in told


@pytest.mark.parametrize(("target", "doubted"), [(0, False), (5, True)])
def test_a_communist_knows_whom_its_meeting_tried(target: int, doubted: bool) -> None:
    """A Communist was told that somebody might have changed sides whom nobody had tried to recruit."""
    own = board("red-dawn@1", 8, tracks={"communist": ("bugging", "recruitment", None)})
    play = red_dawn(8, roles="llllffhc", board=own, first=0).govern("c", 1).say(5, 7).clock()
    play.govern("c", 2).say(target, 7).clock().nominate(5)
    assert ("but somebody may have changed sides since" in advised(play, 7)) is doubted
    assert "#6 P5: Fascist" in advised(play, 7)


def test_a_recruit_knows_that_its_meeting_recruited_nobody_else() -> None:
    """A recruited Fascist was told that the fellows it knew might have changed sides in that meeting."""
    own = board("red-dawn@1", 8, tracks={"communist": ("recruitment", None, None)})
    play = red_dawn(8, roles="llllffhc", board=own, first=0).govern("c", 1).say(4, 7).clock()
    assert play.table.parties[4] == "communist"
    play.nominate(5)
    assert "You know #6 P5: Fascist." in advised(play, 4)


@pytest.mark.parametrize(
    ("roles", "advice"), [("lclfhl", "You hold a policy that wins"), ("lfclhl", "another party (Communist)")]
)
def test_a_hand_that_wins_is_told_before_anything_else(roles: str, advice: str) -> None:
    short = board("xl@1", 6, tracks={"communist": (None, None)})
    play = xl(6, "ccf cff", roles=roles, board=short, first=0).govern("c", 2).nominate(0).vote("jjjjjj")
    assert advice in advised(play, 1)


# --- cards --------------------------------------------------------------------------------------------------


def test_a_hand_explains_the_powers_of_its_cards() -> None:
    play = xl(11, "article-48:mark cl fcc", options={"emergency-powers": "more"})
    told = [line for line in prompt(game(play=play.elect(1))) if line.startswith("🎯")]
    assert len(told) == 1
    assert "is killed by the third policy on the Fascist track from then on" in told[0]
    marking = xl(11, "article-48:mark cl fcc", options={"emergency-powers": "more"}).govern("article-48:mark")
    assert [line for line in prompt(game(play=marking)) if "third policy on the Fascist track" in line]
