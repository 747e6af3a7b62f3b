"""python -m dpduck: the command line."""

import runpy

if __name__ == "__main__":
    runpy.run_module("dpduck.doors.cli", run_name="__main__")
