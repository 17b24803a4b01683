"""A finished game in steps: each shows the board of its moment, and no secret before the end."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.display.history import replay_texts
from bot.display.pictures.scene import scene_of
from bot.display.replay import LONGEST, step_caption
from bot.display.telling import Telling
from bot.display.words import Words, languages, shown_length
from bot.records.accuracy import lie_of_the_game, lies
from bot.records.archive import encode_archive
from bot.records.frames import Replay, match_of, players_of
from bot.rooms.model import Match, Player
from bot.rooms.names import UserId
from bot.rooms.sealing import Proof
from engine import OFFERED, Chance, Event, Game, Ruleset, Seat, Setup, fold, view
from engine.claim import Claim
from engine.facts import CandidacyPassed, Enacted, GameOver, Investigated, Voted
from engine.table import Table
from sandbox.game import NAMES
from sandbox.random_games import every_setup, play_random_game
from tests.engine.builders import Play, seats
from tests.engine.rulesets.games import board
from tests.worlds import Worlds, pairs

#: The number of random games of each ruleset.
GAMES = 50


def watch(game: Game, events: Sequence[Event], claims: Sequence[Claim] = ()) -> Replay:
    players = tuple(Player(None, NAMES[seat], "en") for seat in range(game.setup.players))
    return Replay(Match(1, None, Proof("5e" * 32), players, game, tuple(events), claims=tuple(claims)))


def replay(setup: Setup, seed: str) -> Replay:
    game, events, _ = play_random_game(setup, random.Random(seed))
    return watch(game, events)


def some(ruleset: str, games: int = GAMES) -> list[Setup]:
    """Return random setups of one ruleset, some of them more than once."""
    setups = [setup for setup in every_setup() if setup.ruleset == ruleset]
    return random.Random(f"frames/{ruleset}").choices(setups, k=games)


def public(table: Table) -> tuple[object, ...]:
    shown = table.tracks, table.alive, table.tracker, table.round, table.president, table.chancellor
    return (*shown, len(table.pile), len(table.discards))


@pytest.mark.parametrize("rules", OFFERED, ids=lambda rules: rules.id)
@pytest.mark.quick("classic@1")
def test_the_board_at_each_step_is_the_board_then(rules: Ruleset) -> None:
    for number, setup in enumerate(some(rules.id)):
        watched = replay(setup, f"{setup}/{number}")
        log, frames = watched.match.log, watched.frames
        assert [frame.first for frame in frames[1:]] == [frame.last for frame in frames[:-1]]
        assert (frames[0].first, frames[-1].last) == (0, len(log))
        assert isinstance(log[frames[-1].first].fact, GameOver), "the end is a step of its own"
        for number, frame in enumerate(frames):
            then = fold(event.fact for event in log[: frame.last])
            seen, true = watched.view(number, with_secrets=False), watched.view(number, with_secrets=True)
            assert public(seen.table) == public(true.table) == public(then)
            assert frame.round == then.round
            assert true.table.roles == then.roles
            if number < len(frames) - 1:
                assert seen == view(log[: frame.last], None), "as the group saw it"
            scene_of(seen)
            scene_of(true)


def test_every_ballot_and_every_policy_has_a_step_of_its_own() -> None:
    for setup in (setup for rules in OFFERED for setup in some(rules.id, 4)):
        watched = replay(setup, f"{setup}")
        for number in range(len(watched.frames)):
            facts = watched.facts(number, with_secrets=True)
            for kind in (CandidacyPassed, Voted):
                assert sum(isinstance(fact, kind) for fact in facts) <= 1
            assert sum(isinstance(fact, Enacted) and not fact.chaos for fact in facts) <= 1


def test_the_shot_that_ends_a_game_is_told_as_the_table_read_it() -> None:
    """The replay as the table saw it said first that the shot player was not Hitler."""
    own = board("classic@1", 5, tracks={"fascist": ("kill", None, None, None, None, None)})
    play = Play(5, roles="lllfh", deck="fff", board=own, first=0).govern("f", 1).target(4)
    watched = watch(play.game, play.events)
    words, steps = Words("en"), range(len(watched.frames))
    captions = [str(step_caption(words, watched, "G", step, with_secrets=False)) for step in steps]
    assert "was <b>Hitler</b>!" in captions[-2]
    assert "was not Hitler" not in "".join(captions)
    assert "Who was who" not in captions[-2], "the roles are shown in the last step"


def test_claims_about_a_session_come_before_its_power() -> None:
    play = Play(7, deck="fff fff fff").govern("f").govern("f").target(0)
    president = play.table.last_elected[0]
    play.clock_out()
    said = ("fascist",) * 3
    hand, party = Claim(president, 2, "president", said, 0), Claim(president, 2, "party", ("liberal",), 0)
    watched = watch(play.game, play.events, (hand, party))
    steps = {claim: at for at in range(len(watched.frames)) for claim in watched.claims(at)}
    assert any(isinstance(fact, Enacted) for fact in watched.facts(steps[hand], with_secrets=False))
    assert any(isinstance(fact, Investigated) for fact in watched.facts(steps[party], with_secrets=False))


@pytest.mark.parametrize("ruleset", ["classic@1", "red-dawn@1", "xl@1"])
def test_nothing_secret_is_shown_as_the_table_saw_it(ruleset: str) -> None:
    """Two worlds that the group cannot tell apart look the same at every step, while they must."""
    words, players = Words("en"), tuple(Player(None, name, "en") for name in NAMES[:7])
    compared = different = 0
    for seed in range(8):
        for worlds in pairs(Setup(ruleset, 7), random.Random(f"{ruleset}/{seed}"), [None]):
            logs = zip((worlds.left.game, worlds.right.game), _logs(worlds), strict=True)
            replays = [Replay(Match(1, None, Proof("00"), players, game, tuple(log))) for game, log in logs]
            assert replays[0].frames == replays[1].frames
            for number in range(len(replays[0].frames)):
                texts = {step_caption(words, each, "G", number, with_secrets=False) for each in replays}
                scenes = {repr(scene_of(each.view(number, with_secrets=False))) for each in replays}
                assert len(texts) == len(scenes) == 1
                compared += 1
                true = {step_caption(words, each, "G", number, with_secrets=True) for each in replays}
                different += len(true) > 1
    assert compared > 20
    assert different, "as it was they differ, so that there was something to hide"


def _logs(worlds: Worlds) -> tuple[list[Event], list[Event]]:
    """Return what happened in both worlds, as long as they must look alike and nobody has won."""
    logs: tuple[list[Event], list[Event]] = ([], [])
    compare = worlds._compare_facts

    def noted() -> None:
        compare()
        if not worlds.parted and worlds.left.game.question is not None:
            for log, world in zip(logs, (worlds.left, worlds.right), strict=True):
                log += world.told

    worlds._compare_facts = noted  # type: ignore[method-assign]
    worlds.play()
    return logs


@pytest.mark.parametrize("language", languages())
def test_captions_fit_in_every_language(language: str) -> None:
    watched = replay(Setup("xl@1", 16), "long")
    long = tuple(replace(player, name="W" * 64) for player in watched.match.players)
    watched = Replay(replace(watched.match, players=long))
    for number in range(len(watched.frames)):
        for true in (False, True):
            text = step_caption(Words(language), watched, "The Reichstag", number, with_secrets=true)
            assert shown_length(text) <= LONGEST + 24


def test_a_game_comes_back_from_its_archive_by_seats() -> None:
    match = replay(Setup("classic@1", 5), "archive").match
    match = replace(match, players=(*match.players[:4], replace(match.players[4], computer=True)))
    body = encode_archive(match)
    players = players_of(body, ["Ada", None, "", "Dirk", None], "de")
    assert [player.shown.strip() for player in players] == ["Ada", "👤", "👤", "Dirk", f"🤖 {NAMES[4]}"]
    again = match_of(body, players)
    assert (again.log, again.number, again.won) == (match.log, 1, True)
    assert Replay(again).frames == Replay(match).frames
    assert isinstance(again.game.chance, Chance)


def lied(ballots: str = "jjjjnnn", roles: str = "flllfhl") -> tuple[Play, list[Claim]]:
    """Return a game in which seat 0, a Fascist, buries the Liberal tile, lies, and is voted for again."""
    play = Play(7, roles=roles, deck="lff lll ll", first=0)
    play.nominate(1).vote("jjjjjjj").discard("liberal").enact("fascist")
    at = len(play.view(None).facts)
    claims = [
        Claim(Seat(0), 1, "president", ("fascist",) * 3, at),
        Claim(Seat(1), 1, "chancellor", ("fascist", "fascist"), at),
    ]
    play.nominate(2).vote("n" * play.voters)
    play.govern("liberal", 3).nominate(0).vote(ballots)
    play.clock_out()
    return play, claims


def test_the_lie_of_the_game_is_found_with_its_votes() -> None:
    play, claims = lied()
    (lie,) = lies(play.view(None), claims)
    assert lie == lie_of_the_game(play.view(None), claims)
    assert (lie.claim, lie.truth) == (claims[0], ("fascist", "fascist", "liberal"))
    assert (lie.ja, lie.voters) == (3, 4), "the ballots of the liar's own party do not count"
    assert not lie.contradicted
    assert lie_of_the_game(play.view(None), claims[1:]) is None


@pytest.mark.parametrize(("roles", "slips"), [("flllfhl", False), ("lllffhl", True)])
def test_a_liberal_computer_slips_and_does_not_lie(roles: str, slips: bool) -> None:
    """A player read that a Liberal computer had told the lie of the game. It had misremembered."""
    play, claims = lied("jjjjjnn", roles)
    assert lie_of_the_game(play.view(None), claims) is not None
    assert (lie_of_the_game(play.view(None), claims, seats(0)) is None) == slips
    players = tuple(
        Player(None if seat == 0 else UserId(seat), "Otto", "en", computer=seat == 0) for seat in range(7)
    )
    text = "".join(replay_texts(Telling(play.view(None), players, Words("en")), claims))
    assert ("💭 <b>misremembered</b>" in text) == slips
    assert ("🤥 <b>not true</b>" in text) != slips


def test_a_lie_that_invents_a_liberal_policy_gains_nothing() -> None:
    """A player read of a "lie of the game" that only said that its teller threw a Liberal policy away."""
    play = Play(7, roles="flllfhl", deck="lff lff lll").govern("liberal", 1)
    claims = [Claim(Seat(0), 1, "president", ("fascist", "liberal", "liberal"), len(play.view(None).facts))]
    play.clock_out()
    assert [lie.claim for lie in lies(play.view(None), claims)] == claims
    assert lie_of_the_game(play.view(None), claims) is None


def test_a_lie_that_was_seen_through_is_not_praised() -> None:
    play, claims = lied("jjnnnnn")
    (lie,) = lies(play.view(None), claims)
    assert (lie.ja, lie.voters) == (1, 4)
    assert lie_of_the_game(play.view(None), claims) is None
