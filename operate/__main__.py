"""``python -m operate``."""

from operate.commands import main

if __name__ == "__main__":
    main(prog_name="python -m operate")
