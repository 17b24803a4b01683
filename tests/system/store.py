"""A store whose requests can fail, and an exception for processes that die."""

from collections.abc import Callable, Mapping
from typing import Any

from local.dynamodb import LocalTable

#: Is called with a request (operation, arguments), and may raise to make it fail.
Fault = Callable[[str, Mapping[str, Any]], None]


class Store:
    """A table whose requests can fail before or after they are carried out."""

    def __init__(self) -> None:
        self.items = LocalTable()
        self.before: list[Fault] = []
        self.after: list[Fault] = []

    def run(self, operation: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do one request."""
        for fault in list(self.before):
            fault(operation, arguments)
        answer = self.items.run(operation, arguments)
        for fault in list(self.after):
            fault(operation, arguments)
        return answer


class Killed(BaseException):
    """The process was killed."""
