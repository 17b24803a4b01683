"""Simulate the bot's cloud in one process and in virtual time, for ``sandbox.faults`` and ``sandbox.storm``.

machine     events in virtual time, and processes (threads) that run one at a time with asyncio's loop
faults      the kinds of faults, and how often they happen
network     carries requests and answers between processes and services, also for DynamoDB and SQS
queue       the SQS queue that invokes the wake-up function
"""
