"""The command: ``python -m engine.proof``."""

from engine.proof.command import main

if __name__ == "__main__":  # pragma: no cover (a test runs it in a process of its own)
    main()
