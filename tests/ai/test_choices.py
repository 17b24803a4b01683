"""Computers' choices and claims are legal, their own, and what a good player of the role would do."""

import pytest

import ai
from ai import choosing, judging, tuning
from ai.decider import SeasonedDecider
from ai.reasons import CODES, _clues
from ai.rulesets import Aim
from ai.saying import say
from engine import Chance, Question, Seat, Setup, view
from engine.claim import Claim
from engine.question import JA, NEIN
from sandbox.computer_games import SEASONED, ComputerGame
from tests.engine.builders import Play, names, open_question, seats, with_veto
from tests.engine.rulesets.games import board, red_dawn

CHANCE = Chance("5eed")
DRAWS = [Chance(f"{number:04x}") for number in range(40)]


def asked(play: Play, seat: int) -> Question:
    return open_question(play.game, seat)


def chosen(
    play: Play, seat: int, chance: Chance = CHANCE, level: str = "seasoned", claims: tuple[Claim, ...] = ()
) -> object:
    question = asked(play, seat)
    at = ai.choose(view(play.events, Seat(seat)), question, claims, chance, level)
    return question.options[question.seats.index(seat)][at]


def often(play: Play, seat: int, option: object, level: str = "seasoned") -> float:
    return sum(chosen(play, seat, chance, level) == option for chance in DRAWS) / len(DRAWS)


def likely(play: Play, seat: int, option: object, level: str = "seasoned") -> float:
    question = asked(play, seat)
    odds = ai.probabilities(view(play.events, Seat(seat)), question, (), level)
    options = question.options[question.seats.index(seat)]
    return sum(share for share, one in zip(odds, options, strict=True) if one == option)


@pytest.mark.parametrize("level", choosing.LEVELS)
def test_the_same_question_has_the_same_answer(level: str) -> None:
    play = Play(7)
    assert chosen(play, 0, level=level) == chosen(play, 0, level=level)


def test_there_are_two_levels_and_only_the_asked_answer() -> None:
    play = Play(7)
    with pytest.raises(ValueError, match="no such level"):
        ai.choose(view(play.events, Seat(0)), asked(play, 0), (), CHANCE, "grandmaster")
    with pytest.raises(ValueError, match="not asked"):
        ai.choose(view(play.events, Seat(1)), asked(play, 0), (), CHANCE, "novice")


@pytest.mark.parametrize("level", choosing.LEVELS)
def test_liberals_keep_liberal_tiles_in_every_hand(level: str) -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1)
    assert often(play, 0, "fascist", level) == 1
    assert often(play.discard("f"), 1, "liberal", level) == 1


def test_fascists_bury_as_people_do_and_novices_are_shy() -> None:
    play = Play(7, roles="fllllfh", deck="lff fff lff fff lll fl").elect(1)
    assert 0.5 < likely(play, 0, "liberal") < 0.85, "people do in 58 of 100 hands early, 82 beside a Liberal"
    assert likely(play, 0, "liberal", "novice") == tuning.NOVICE_SHY
    beside = Play(7, roles="ffllllh", deck="lff fff lff fff lll fl").elect(1)
    assert likely(beside, 0, "liberal") < likely(play, 0, "liberal") - 0.2, "a fellow may enact it itself"


def test_hidden_chancellors_enact_their_tile_as_people_do() -> None:
    for roles in ("lflllfh", "lhlllff"):
        play = Play(7, roles=roles, deck="lff fff lff fff lll fl").elect(1).discard("f")
        assert 0.3 < likely(play, 1, "fascist") < 0.5, "people: 37 of 100 hands early"


def test_hitler_hides_less_where_nobody_talks() -> None:
    def buries(claims: tuple[Claim, ...] = ()) -> float:
        play = Play(7, roles="lllhlff", deck="lff lff lff fff ffl ll")
        play = play.elect(1).discard("f").enact("l").elect(2).discard("f").enact("l").elect(3).discard("f")
        return sum(chosen(play, 3, chance, claims=claims) == "fascist" for chance in DRAWS) / len(DRAWS)

    told = Claim(Seat(0), 1, "president", ("fascist", "fascist", "fascist"), 12)
    own = Claim(Seat(3), 1, "president", ("fascist", "fascist", "fascist"), 12)
    assert buries() > 0.6
    assert buries((own,)) == buries()
    assert buries((told,)) < 0.5


def test_hitler_in_the_zone_votes_silent_strangers_down() -> None:
    play = Play(7, roles="llllffh").ready(3)
    assert play.game.table.president is not None
    play.nominate(next(seat for seat in play.choices if seat != 6))
    assert often(play, 6, NEIN) > 0.9
    told = Claim(Seat(0), 1, "president", ("fascist", "fascist", "fascist"), 12)
    assert any(chosen(play, 6, chance, claims=(told,)) == JA for chance in DRAWS)


def test_a_fascist_seldom_calls_out_a_fellow() -> None:
    dealt, two = "llf fff lff fff lll ff", ("ffllllh", "flllflh")
    spare = [often(Play(7, roles=roles, deck=dealt).elect(1), 0, "liberal") for roles in two]
    assert spare[0] > spare[1], "a Chancellor who is no fellow enacts a Liberal tile anyway"
    play = Play(7, roles="llfllfh").until_fascist(3)
    assert (play.step, play.game.table.president) == ("special", 2)
    assert likely(play, 2, 5) + likely(play, 2, 6) < 0.45, "by lot it would be a third"


@pytest.mark.parametrize("level", choosing.LEVELS)
def test_a_fascist_always_enacts_the_winning_policy(level: str) -> None:
    compared = 0
    for number in range(12):
        play = Play(7, roles="llllffh", key=f"{number:02x}").until_fascist(5)
        while play.step != "nominate":
            play.target(play.harmless)
        fascist = next((seat for seat in play.choices if play.game.table.roles[seat] == "fascist"), None)
        if fascist is None:
            continue
        play.elect(fascist)
        if set(play.choices) == {"liberal", "fascist"}:
            play.discard("f" if play.choices.count("fascist") == 2 else "l")
            assert often(play, fascist, "fascist", level) == 1
            compared += 1
    assert compared > 2


def test_fascists_elect_hitler_in_the_zone() -> None:
    play = Play(7, roles="lllfflh").ready(3)
    president = play.game.table.president
    assert president is not None
    play.nominate(6)
    voter = next(seat for seat in (3, 4) if seat != president)
    assert likely(play, voter, JA) > likely(play, next(s for s in (0, 1, 2) if s != president), JA)
    assert likely(play, 6, JA) > 0.9, "Hitler wins by it"


def test_a_liberal_in_the_zone_fears_an_unknown_chancellor_more() -> None:
    known = view(Play(7, roles="llllffh").ready(3).elect(1).events, Seat(3))
    decider = SeasonedDecider(known, ())
    assert decider.in_zone
    for chancellor, more in ((1, False), (2, True)):
        alone = decider.seat_danger(Seat(0)) + decider.seat_danger(Seat(chancellor))
        fear = decider.government_danger(Seat(0), Seat(chancellor)) - 0.5 * alone
        assert (fear > 0.05) == more


def test_fascists_do_not_kill_their_own() -> None:
    play = Play(7, roles="fllllfh").until_fascist(4)
    while play.game.table.president != 0 or play.step != "kill":
        if play.step == "kill":
            return
        play.govern("fascist", play.harmless)
    assert chosen(play, 0) not in (5, 6)


def test_cards_that_lie_face_down_are_chosen_by_lot() -> None:
    play = Play(7, "xl@1", options={"oktoberfest": "on"}, key="0a")
    while not (play.game.question and play.game.question.blind):
        play.clock()
        if play.game.question is None:
            pytest.skip("no October in this game")
    seat = play.asked[0]
    assert len({chosen(play, seat, chance) for chance in DRAWS}) > 1
    assert ai.reasons(view(play.events, Seat(seat)), (), asked(play, seat)) == (ai.Reason("blind"),)


def test_an_unknown_question_is_answered_by_its_options() -> None:
    assert choosing.aim_of("audit", seats(1, 2, 3)) is Aim.HARM
    assert choosing.aim_of("agree", (JA, NEIN)) is Aim.VETO
    assert choosing.aim_of("tiles", ("liberal", "fascist")) is Aim.ENACT


def test_claims_come_once_the_session_is_over() -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1)
    assert say(view(play.events, Seat(0)), (), CHANCE, "seasoned") == ()
    play.discard("f").enact("f")
    facts = len(view(play.events, None).facts)
    (president,) = say(view(play.events, Seat(0)), (), CHANCE, "seasoned")
    assert president == Claim(Seat(0), 1, "president", ("liberal", "fascist", "fascist"), facts)
    (chancellor,) = say(view(play.events, Seat(1)), (president,), CHANCE, "seasoned")
    assert (chancellor.seat, chancellor.kind, len(chancellor.said)) == (1, "chancellor", 2)
    assert say(view(play.events, Seat(1)), (president, chancellor), CHANCE, "seasoned") == ()
    assert say(view(play.events, Seat(2)), (), CHANCE, "seasoned") == ()
    assert say(view(play.events, None), (), CHANCE, "seasoned") == ()


def test_liberals_never_claim_what_cannot_be() -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    chances = [Chance(f"{number:04x}") for number in range(200)]
    for seat, truth in ((0, ("liberal", "fascist", "fascist")), (1, ("liberal", "fascist"))):
        told = [say(view(play.events, Seat(seat)), (), chance, "seasoned")[0].said for chance in chances]
        assert 0.8 < told.count(truth) / len(told) < 1
        assert all("fascist" in said for said in told), "a Fascist policy lies on the table"


def test_a_fascist_who_buried_a_liberal_mostly_denies_it() -> None:
    play = Play(7, roles="flllfhl", deck="lff fff lff fff lll fl").elect(1).discard("l").enact("f")
    told = [say(view(play.events, Seat(0)), (), chance, "seasoned")[0].said for chance in DRAWS]
    assert told.count(("fascist",) * 3) > 0.6 * len(told)


def test_fascists_clear_their_own_and_often_accuse_liberals() -> None:
    def said(roles: str) -> list[str]:
        play = Play(7, roles=roles).until_fascist(2)
        assert play.game.table.president == 1, "the second round's President"
        play.target(6)
        return [say(view(play.events, Seat(1)), (), chance, "seasoned")[-1].said[0] for chance in DRAWS]

    assert said("lflllfh").count("liberal") > 0.75 * len(DRAWS)
    assert 0.3 < said("lfflhll").count("fascist") / len(DRAWS) < 0.9


def claimed(play: Play, president: str, chancellor: str) -> tuple[Claim, ...]:
    """Return what seats 0 and 1 claim now of the first round, by letters."""
    at = len(view(play.events, None).facts)
    return (
        Claim(Seat(0), 1, "president", names(president), at),
        Claim(Seat(1), 1, "chancellor", names(chancellor), at),
    )


@pytest.mark.parametrize(("president", "code"), [("llf", "conflict"), ("lff", "none-passed")])
def test_a_liberals_reasons_call_a_lie_only_what_must_be_one(president: str, code: str) -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    claims = claimed(play, president, "ff")
    play.nominate(3)
    told = ai.reasons(view(play.events, Seat(2)), claims, asked(play, 2))
    assert told
    assert all(reason.code in CODES for reason in told)
    reasons = {reason for reason in told if reason.code in ("conflict", "none-passed")}
    assert reasons == {ai.Reason(code, seats(0, 1), 1)}


def test_who_lied_learns_nothing_from_being_contradicted() -> None:
    play = Play(7, roles="fllllfh", deck="lff fff lff fff lll fl").elect(1).discard("l").enact("f")
    claims = claimed(play, "llf", "ff")
    play.chaos()  # which forgets who governed
    play.nominate(1)
    codes = {reason.code for reason in ai.reasons(view(play.events, Seat(0)), claims, asked(play, 0))}
    assert not codes & {"conflict", "none-passed"}
    others = {reason.code for reason in ai.reasons(view(play.events, Seat(2)), claims, asked(play, 2))}
    assert "conflict" in others


def test_not_hitler_is_no_reason_for_hitlers_own_party() -> None:
    play = Play(5, roles="lllfh", deck="fff fff fff lff lll ll").until_fascist(3).govern("l", 0)
    while 0 not in play.choices:
        play.reject()
    play.nominate(0)
    told = {seat: ai.reasons(view(play.events, Seat(seat)), (), asked(play, seat)) for seat in range(5)}
    aware = {seat for seat, reasons in told.items() if ai.Reason("not-hitler", seats(0)) in reasons}
    assert aware
    assert aware <= {1, 2}, "nor for who stands"


@pytest.mark.parametrize(("thrown", "code"), [("l", "bad-hand"), ("f", "own-tile")])
def test_agreed_and_refused_vetoes_have_reasons(thrown: str, code: str) -> None:
    play = with_veto(7, roles="ffhllll", decks=["lff lff lff lff lf lff", "lff"])
    play.elect(play.harmless)
    assert play.table.parties[play.table.president] == "liberal"
    assert sorted(play.hand) == ["f", "f", "l"]
    play.discard(thrown).ask_veto()
    (president,) = play.asked
    assert ai.reasons(view(play.events, Seat(president)), (), asked(play, president)) == (ai.Reason(code),)


def test_three_tiles_of_one_kind_are_nothing_to_choose_from() -> None:
    play = Play(7, deck="fff lff fff lff lll fl").elect(1)
    assert ai.reasons(view(play.events, Seat(0)), (), asked(play, 0)) == (ai.Reason("alike"),)


def thinking(play: Play, seat: int) -> SeasonedDecider:
    return SeasonedDecider(view(play.events, Seat(seat)), ())


def test_a_seat_counts_on_being_next_only_if_trusted_most() -> None:
    decider = thinking(Play(7).nominate(1), 3)
    danger = decider.government_danger(Seat(1), Seat(3))
    assert decider.next_government_danger() > danger, "at first all are trusted as much"
    decider = thinking(trusted("lllflfh"), 2)
    danger = decider.government_danger(Seat(5), Seat(2))
    assert decider.next_government_danger() == pytest.approx(danger), "it fears nothing of itself"
    decider = thinking(Play(7, deck="fff lff lff lff lff ll").govern("f", 3).nominate(2), 3)
    assert decider.suspected_by_table > decider.public_state.probability_not_of(Seat(4), "liberal")
    assert decider.next_government_danger() > decider.government_danger(Seat(2), Seat(3))


def trusted(roles: str, ruleset: str = "classic@1", deck: str | None = None) -> Play:
    """Return a game with four Liberal tiles, in which two who enacted them, seats 4 and 2, are to govern."""
    play = Play(len(roles), ruleset, roles=roles, deck=deck)
    for chancellor in (4, 2, 4, 1):
        play.govern("l", chancellor)
    return play.nominate(2)


def test_a_liberal_votes_down_a_seat_that_it_caught() -> None:
    caught = Play(7, roles="lflllfh", deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    assert likely(caught.nominate(3), 0, JA) < 0.05, "the President buried the tile that this seat passed"


def test_communists_vote_down_liberals_who_want_one_tile() -> None:
    play = trusted("lllflhcf", "red-dawn@1", "lff lff lff lff llf")
    decider = thinking(play, 6)
    assert decider.party == "communist"
    assert decider.rival_share(Seat(4), Seat(2)) > 0.5
    assert likely(play, 6, JA) < likely(play, 0, JA) - 0.2


@pytest.mark.parametrize(
    ("ruleset", "players", "dropped"),
    [("red-dawn@1", 7, "fascist"), ("xl@1", 8, "communist")],
    ids=["six of eleven tiles are sooner there than four of four", "five of eight sooner than six of nine"],
)
def test_liberals_drop_the_tile_of_the_nearer_track(ruleset: str, players: int, dropped: str) -> None:
    play = Play(players, ruleset, deck="cff ccf", first=0).elect(1)
    assert play.table.parties[0] == "liberal"
    assert likely(play, 0, dropped) == 1


def test_a_communist_smears_the_likeliest_hitler(monkeypatch: pytest.MonkeyPatch) -> None:
    smears = board("red-dawn@1", 7, tracks={"communist": ("smear", None)})
    play = red_dawn(7, "clf", "cllllfh", board=smears, first=0).govern("c", 1)
    assert play.step == "smear"
    monkeypatch.setattr(SeasonedDecider, "hitler", lambda _, seat, state=None: 0.3 if seat == 4 else 0.1)
    assert likely(play, 0, 4) > 0.9


def test_a_seat_that_the_table_sees_through_votes_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "EXPOSED", 0.1)
    roles = "lfllfhl"
    assert likely(Play(len(roles), roles=roles).nominate(1), 4, JA) > 0.95
    assert likely(Play(len(roles), roles=roles).nominate(2), 4, JA) < 0.05


def test_at_first_liberals_let_a_government_begin() -> None:
    for number in range(6):
        play = Play(7, key=f"{number:02x}").nominate(3)
        asked_to_vote = [seat for seat in play.asked if seat not in (0, 1, 3)]
        for seat in asked_to_vote:
            if play.game.table.parties[seat] == "liberal":
                assert often(play, seat, JA) > 0.4
                choice, _ = ai.advise(view(play.events, Seat(seat)), (), asked(play, seat))
                assert choice is None or asked(play, seat).options[0][choice] == JA


@pytest.mark.parametrize("level", choosing.LEVELS)
def test_a_hand_of_bad_powers_is_vetoed(level: str) -> None:
    options = {"article-48": "on"}
    early = board("red-dawn@1", 7, options, veto=1, tracks={"fascist": (*[None] * 5, None)})
    hand = "fascist:investigate"
    play = red_dawn(7, f"fff {hand} {hand} l", board=early, options=options).govern("f")
    play.elect(2).discard("l").ask_veto()
    assert play.table.parties[play.asked[0]] == "liberal"
    assert often(play, play.asked[0], JA, level) == 1


def test_probabilities_are_what_choices_are_drawn_from() -> None:
    play = Play(7, roles="llllffh").nominate(4)
    question = asked(play, 2)
    known = view(play.events, Seat(2))
    odds = ai.probabilities(known, question, (), "seasoned")
    draws = [ai.choose(known, question, (), Chance(f"{number:06x}"), "seasoned") for number in range(2000)]
    for at, share in enumerate(odds):
        assert draws.count(at) / len(draws) == pytest.approx(share, abs=0.035)


def test_ballots_of_an_election_move_together() -> None:
    play = Play(7, roles="llllffh").nominate(4)
    draws: dict[int, list[int]] = {2: [], 3: []}
    for number in range(1500):
        shared = Chance(f"{number:06x}")
        for seat, cast in draws.items():
            chance = Chance(f"{seat}{number:06x}0")
            known, question = view(play.events, Seat(seat)), asked(play, seat)
            cast.append(ai.choose(known, question, (), chance, "seasoned", shared))
    marginal = ai.probabilities(view(play.events, Seat(2)), asked(play, 2), (), "seasoned")[0]
    assert draws[2].count(0) / 1500 == pytest.approx(marginal, abs=0.05)
    alike = sum(one == other for one, other in zip(draws[2], draws[3], strict=True)) / 1500
    apart = marginal**2 + (1 - marginal) ** 2
    assert alike > apart + 0.06


@pytest.mark.parametrize("level", choosing.LEVELS)
def test_options_that_are_alike_share_their_probability(level: str) -> None:
    play = Play(7, deck="lff fff lff fff lll fl").elect(1)
    question = asked(play, 0)
    options = question.options[0]
    odds = ai.probabilities(view(play.events, Seat(0)), question, (), level)
    assert sum(odds) == pytest.approx(1)
    fascist = [share for share, tile in zip(odds, options, strict=True) if tile == "fascist"]
    assert sum(fascist) == pytest.approx(1)
    assert len({share for share, tile in zip(odds, options, strict=True) if tile == "fascist"}) == 1


def five_fascist_policies_and_two_failed_elections(key: str) -> Play:
    play = Play(7, roles="ffhllll", key=key).until_fascist(5)
    while play.step not in ("nominate", "ballot"):
        play.target(play.harmless)
    while play.table.tracker < 2:
        play.reject()
    return play.nominate(play.choices[0])


def test_a_pair_votes_for_itself_where_the_blind_tile_may_lose() -> None:
    tried = 0
    for number in range(8):
        play = five_fascist_policies_and_two_failed_elections(f"{number:02x}")
        president = play.table.president
        assert president is not None
        if play.table.parties[president] == "liberal":
            tried += 1
            decider = thinking(play, president)
            chancellor = play.table.chancellor
            assert chancellor is not None
            doubt = decider.seat_danger(chancellor) + decider.hitler(chancellor)
            assert likely(play, president, JA) > 0.9 or doubt > 0.8
    assert tried


def codes(play: Play, seat: int) -> set[str]:
    return {reason.code for reason in ai.reasons(view(play.events, Seat(seat)), (), asked(play, seat))}


def test_advice_says_when_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(7, roles="llllffh")
    assert ai.advise(view(play.events, Seat(0)), (), asked(play, 0)) == (None, (ai.Reason("nothing-known"),))
    play.nominate(1)
    assert "not-yours" in codes(play, 4)
    assert "not-yours" not in codes(play, 6), "Hitler knows nobody here"
    assert "rival-near" in codes(trusted("lllflfh"), 6), "Liberals need one more tile"
    monkeypatch.setattr(SeasonedDecider, "rival_share", lambda *_: 0.0)
    assert "table-trusts" in codes(trusted("lllflfh"), 6)


def test_an_even_choice_between_seats_names_them() -> None:
    play = Play(7, roles="lllflfh").govern("l", 4).govern("l", 2).govern("l", 4)
    choice, reasons = ai.advise(view(play.events, Seat(3)), (), asked(play, 3))
    assert choice is None
    (reason,) = reasons
    assert reason.code == "either-seat"
    assert set(reason.seats) <= set(play.choices)


def test_no_choice_is_called_even_where_hitler_may_win() -> None:
    seen = 0
    for number in range(12):
        play = Play(7, roles="llllffh", key=f"{number:02x}").ready(3)
        seat = play.asked[0]
        decider = thinking(play, seat)
        if decider.in_zone and decider.party == "liberal" and play.step == "nominate":
            choice, _ = ai.advise(view(play.events, Seat(seat)), (), asked(play, seat))
            doubts = [decider.hitler(one) for one in play.choices]
            seen += 1
            assert choice is not None or min(doubts) < tuning.MAY_BE_HITLER
    assert seen


def test_who_is_next_hears_it_instead_of_the_next_pair() -> None:
    caught = Play(7, roles="lflllfh", deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    assert caught.table.president == 1, "who buried the Liberal tile"
    caught.nominate(3)
    assert "you-are-next" in codes(caught, 2)
    assert "next-is-better" not in codes(caught, 2)
    assert "you-are-next" not in codes(caught, 0)


def test_no_reason_is_given_that_the_belief_contradicts() -> None:
    play = trusted("lllflfh")
    told = ai.reasons(view(play.events, Seat(0)), (), asked(play, 0))
    assert {reason.code for reason in told} <= {"enacted-liberal", "next-is-worse", "chaos-near", "either"}


def test_reasons_never_contradict_what_a_seat_knows() -> None:
    """A Liberal who knew a Liberal was told to doubt them for what their governments had enacted."""
    checked = 0
    for number in (1, 2):
        going = ComputerGame(Setup("classic@1", 7), Chance(f"{number:064x}"), [SEASONED] * 7)
        while (question := going.game.question) is not None:
            for seat in question.seats:
                seen, claims = going.seats[seat].view, going.claims
                decider = SeasonedDecider(seen, claims)
                parties = seen.table.parties
                for other in [one for one, party in enumerate(parties) if party and one != seat]:
                    said = "fellow" if parties[other] == parties[seat] else "known-enemy"
                    for good in (True, False):
                        told = {reason.code for _, reason in _clues(decider, Seat(other), good)}
                        assert told == ({said} if good == (said == "fellow") else set())
                        checked += 1
            going.step()
    assert checked > 100


def cast_by(play: Play, seat: int, draws: int = 400) -> float:
    """Return how often a seat votes Ja over many common terms."""
    question, known = asked(play, seat), view(play.events, Seat(seat))
    shared = [Chance(f"{number:06x}") for number in range(draws)]
    ja = question.options[question.seats.index(seat)].index(JA)
    return sum(ai.choose(known, question, (), CHANCE, "seasoned", one) == ja for one in shared) / draws


def test_the_common_term_leaves_the_pair_alone() -> None:
    play = Play(7, roles="llllffh").nominate(4)
    cast = {cast_by(play, 0), cast_by(play, 4)}
    assert cast <= {0.0, 1.0}, "their own chance decides, and is the same here"
    assert 0.0 < cast_by(play, 2) < 1.0


def test_the_common_term_turns_over_no_sure_ballot() -> None:
    caught = Play(7, roles="lflllfh", deck="lff fff lff fff lll fl").elect(1).discard("f").enact("f")
    assert cast_by(caught.nominate(3), 0) in (0.0, 1.0)


def test_a_president_votes_for_the_own_choice() -> None:
    for number in range(6):
        play = Play(7, key=f"{number:02x}").nominate(3)
        assert likely(play, play.table.president or 0, JA) >= 0.97


def test_a_liberal_nominates_nobody_far_worse_than_the_best() -> None:
    play = Play(7, roles="lllflfh", deck="fff lff lff lff llf").govern("f", 3).elect(4)
    play.discard("f").enact("l")
    question, known = asked(play, 2), view(play.events, Seat(2))
    odds = ai.probabilities(known, question, (), "seasoned")
    assert all(share == 0 or share >= tuning.WORTHY * max(odds) for share in odds)
    assert 0 in odds


def test_a_liberal_votes_down_a_communist_that_it_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(7, "red-dawn@1", roles="llllfhc").nominate(6)

    def party(state: object, seat: int, party: str) -> float:
        return float(party == ("communist" if seat == 6 else "liberal"))

    monkeypatch.setattr("ai.state.State.party", party)
    monkeypatch.setattr(SeasonedDecider, "party_dangers", lambda *_: {"communist": 0.3, "fascist": 1.0})
    danger = thinking(play, 2).seat_danger(Seat(6))
    assert danger < tuning.EXPOSED, "a Communist costs less while its track is short"
    assert likely(play, 2, JA) < 0.05


def test_no_chancellor_accuses_itself() -> None:
    for roles in ("flllfhl", "lflllfh"):
        play = Play(7, roles=roles, deck="fff lff lff fff lll fl").elect(1).discard("f").enact("f")
        chances = [Chance(f"{number:04x}") for number in range(200)]
        told = {say(view(play.events, Seat(1)), (), chance, "seasoned")[0].said for chance in chances}
        assert told == {("fascist", "fascist")}


def test_no_hint_elects_a_likely_hitler_beside_oneself(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play(7, roles="llllffh").ready(3)
    president = play.table.president
    if play.table.parties[president] != "liberal":
        play.reject()
        president = play.table.president
    play.nominate(next(seat for seat in play.choices if seat != play.harmless))
    decider = thinking(play, president)
    assert decider.in_zone
    with_fear = judging.ballot_gap(decider)
    monkeypatch.setattr(tuning, "MAY_BE_HITLER", 1.1)
    assert judging.ballot_gap(decider) == pytest.approx(min(1.0, with_fear + tuning.OWN_GOVERNMENT))
