"""Simulate the bot's cloud in one process and in virtual time, for ``sandbox.faults`` and ``sandbox.storm``.

machine     events in virtual time, and processes (threads) that run one at a time
loop        asyncio's event loop in such a process
faults      the kinds of faults, and how often they happen
network     carries requests and answers between processes and services
clients     clients of DynamoDB and SQS that use the network
functions   the two Lambda functions, whose invocations run in warm or new processes
queue       an SQS queue that invokes Lambda
"""
