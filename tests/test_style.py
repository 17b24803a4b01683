"""The check of how we write finds what it looks for, and nothing else."""

from scripts.style import faults

GOOD = '"""A module."""\n\n\ndef add() -> None:\n    """Add a seat. What it costs is said elsewhere."""\n'


def test_plain_sentences_have_no_fault() -> None:
    assert list(faults(GOOD)) == []


def test_a_docstrings_beginning_is_found() -> None:
    [(line, fault)] = faults(GOOD.replace("Add a seat.", "Whoever adds a seat."))
    assert line == 5
    assert "'Whoever'" in fault


def test_an_old_word_is_found_with_its_better_one() -> None:
    [(_, fault)] = faults(GOOD.replace("Add a seat.", "Add a seat anew."))
    assert fault == "'anew' (say: again, or from the start)"


def test_a_comments_beginning_is_found() -> None:
    [(line, fault)] = faults(
        "#: The seats.\n#: What they know is here.\nSEATS = ()\n\n# Where it is.\nFIRST = 0  # What else\n"
    )
    assert line == 5
    assert fault == "a comment that begins with 'Where'"


def test_a_long_test_name_is_found() -> None:
    longest = "test_" + "x" * 55
    assert list(faults(f"def {longest}() -> None: ...")) == []
    [(_, fault)] = faults(f"def {longest}x() -> None: ...")
    assert fault == "a test name of 61 characters, 60 at most"
