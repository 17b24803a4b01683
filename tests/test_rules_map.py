"""The map from rules to tests has no hole, and would say so."""

from pathlib import Path

import pytest

from tests import rules_map


def test_every_rule_is_named_by_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules_map.main() == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == len(rules_map.rules()) > 150


def test_a_rule_without_a_test_and_the_reverse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_one.py").write_text(
        "import pytest\npytestmark = pytest.mark.rule('R0.1')\n"
        "class TestMore:\n    @pytest.mark.rule('R0.2', 'R99.1')\n    def test_it(self): ...\n"
    )
    assert rules_map.main(tests) == 1
    out, err = capsys.readouterr()
    assert "R0.1   tests/test_one.py\n" in out
    assert "R0.2   tests/test_one.py::test_it\n" in out
    assert "R0.3 has no test" in err
    assert "tests/test_one.py::test_it names R99.1, which does not exist" in err


def test_a_number_given_twice_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "rules.md"
    document.write_text("- **R0.1** One.\n- **R0.1** One again.\n")
    monkeypatch.setattr(rules_map, "RULES", document)
    (tmp_path / "test_one.py").write_text("@pytest.mark.rule('R0.1')\ndef test_it(): ...\n")
    assert rules_map.main(tmp_path) == 1
    assert "R0.1 is twice in rules.md" in capsys.readouterr().err
