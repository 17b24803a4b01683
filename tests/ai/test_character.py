"""Characters of computers: small offsets by name, the same for every role."""

import string

import ai
from ai import Character, character
from engine import Chance, Seat, view
from tests.engine.builders import Play, open_question

DRAWS = [Chance(f"{number:04x}") for number in range(400)]


def likely(play: Play, seat: int, option: object, of: Character) -> float:
    """Return how likely a seat of this character chooses an option."""
    question = open_question(play.game, seat)
    odds = ai.probabilities(view(play.events, Seat(seat)), question, (), "seasoned", of)
    return sum(share for share, one in zip(odds, question.options[0], strict=True) if one == option)


def test_a_name_has_one_character_within_bounds() -> None:
    names = [first + last for first in string.ascii_uppercase for last in string.ascii_lowercase]
    found = [ai.character_of(name) for name in names]
    assert found == [ai.character_of(name) for name in names]
    assert len(set(found)) == len(names)
    for trait, most in (("ja", character.JA), ("accuses", character.ACCUSES), ("bold", character.BOLD)):
        values = [getattr(one, trait) for one in found]
        assert max(map(abs, values)) <= most
        assert abs(sum(values) / len(values)) < most / 8, "a table of strangers plays like people"
        assert min(values) < -0.8 * most < 0.8 * most < max(values)


def test_trusting_seats_of_every_role_vote_ja_more_often() -> None:
    for roles in ("llllffh", "lllfflh", "llhffll"):
        play = Play(7, roles=roles).nominate(4)
        cautious, trusting = (likely(play, 2, "ja", Character(ja=ja)) for ja in (-0.3, 0.3))
        assert 0.08 < trusting - cautious < 0.16


def test_bold_seats_bury_more_liberal_tiles() -> None:
    play = Play(7, roles="fllllfh", deck="lff fff lff fff lll fl").elect(1)
    shy, bold = (likely(play, 0, "liberal", Character(bold=bold)) for bold in (-0.15, 0.15))
    assert 0.25 < bold - shy < 0.31


def test_an_extreme_character_stays_a_probability() -> None:
    play = Play(7, roles="fllllfh", deck="lff fff lff fff lll fl").elect(1)
    for of in (Character(ja=-9, bold=-9), Character(ja=9, bold=9)):
        assert 0 <= likely(play, 0, "liberal", of) <= 1


def test_a_loud_mouth_accuses_its_chancellor_more_often() -> None:
    play = Play(7, roles="flllfhl", deck="lff fff lff fff lll fl").elect(1).discard("l").enact("f")
    known = view(play.events, Seat(0))

    def accuses(of: Character) -> float:
        said = [ai.say(known, (), chance, "seasoned", of)[0].said for chance in DRAWS]
        return sum(one.count("liberal") == 1 for one in said) / len(said)

    assert accuses(Character(accuses=-0.9)) < 0.25 < 0.5 < accuses(Character(accuses=0.9)) < 0.75
