"""The part of DynamoDB that the bot uses, in this process: fast, without sockets. Callers can inject faults.

``tests/local/test_dynamodb.py`` compares it, operation by operation, with dynoxide, another imitation of
DynamoDB (see ``sandbox.dynoxide``).
"""

from local.dynamodb.client import Client
from local.dynamodb.table import LocalTable

__all__ = ["Client", "LocalTable"]
