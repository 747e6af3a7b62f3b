"""python -m dpduck.doors.cli: the command as a module."""

import sys

from dpduck.doors.cli import main

if __name__ == "__main__":
    sys.exit(main())
