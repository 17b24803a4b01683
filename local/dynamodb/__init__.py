"""DynamoDB in this process, as far as the bot uses it: fast, without sockets, faults put in by the caller.

``tests/local/test_dynamodb.py`` holds it against dynoxide, operation by operation.
"""

from local.dynamodb.client import Client
from local.dynamodb.table import LocalTable

__all__ = ["Client", "LocalTable"]
