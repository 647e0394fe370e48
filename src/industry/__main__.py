"""`python -m industry` is the command `industry`."""

from industry.cli import main

if __name__ == "__main__":
    main()
