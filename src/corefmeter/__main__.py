"""``python -m corefmeter``: the command line."""

from corefmeter.cli.main import main

if __name__ == "__main__":
    main()
