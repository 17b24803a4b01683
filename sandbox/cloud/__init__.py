"""The bot's cloud in one process and in virtual time, for the simulators of faults and of storms.

machine     events in virtual time, and processes (threads) that run one at a time
loop        asyncio in such a process
faults      the faults a request may meet, and how often
network     carries requests and answers
clients     the clients of DynamoDB and SQS on that network
functions   the two Lambda functions: invocations in processes, warm or new
queue       SQS with Lambda at its end
"""
