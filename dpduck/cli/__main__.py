"""python -m dpduck.cli: the command as a module."""

import sys

from dpduck.cli import main

if __name__ == "__main__":
    sys.exit(main())
