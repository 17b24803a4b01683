"""`make play`: a page on a free port, until Ctrl-C."""

import argparse
import socket
import urllib.request
from collections.abc import Iterator

import pytest

from sandbox import play


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def arguments(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(given)


def test_the_page_moves_where_its_port_is_taken(
    taken: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[bytes] = []

    def looked_at_and_closed(url: str) -> None:
        with urllib.request.urlopen(url, timeout=10) as answer:
            shown.append(answer.read())
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "PORT", taken)
    monkeypatch.setattr("webbrowser.open", looked_at_and_closed)
    play.run(arguments("--open", "--by-hand", "--players", "5"))
    assert b"<html" in shown[0]
    said = capsys.readouterr().out
    assert "Play at http://127.0.0.1:" in said
    assert f":{taken} " not in said


def test_a_port_that_was_asked_for_and_is_taken_is_named(taken: int) -> None:
    with pytest.raises(SystemExit, match=f"port {taken}: "):
        play.run(arguments("--port", str(taken)))
