"""Run Superset on a database of its own, with its own Python: start.py PORT; SUPERSET_HOME is its folder.

One process does what `superset db upgrade`, `superset init` and `superset run` do, each of which loads all of
Superset anew.
"""

from __future__ import annotations

import sys

from flask_login import login_user
from flask_migrate import upgrade
from superset.app import create_app

ADMIN = "admin"


def main(port: int) -> None:
    app = create_app()
    with app.app_context():
        upgrade()
        manager = app.appbuilder.sm
        app.appbuilder.add_permissions(update_perms=True)
        manager.sync_role_definitions()
        manager.add_user(ADMIN, "Ada", "Admin", "admin@example.org", manager.find_role("Admin"), ADMIN)

    @app.before_request
    def log_in() -> None:  # so that a browser needs no form
        login_user(app.appbuilder.sm.find_user(ADMIN))

    app.run("127.0.0.1", port, threaded=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
