"""Django with its stock backend: inspectdb, what its ORM writes, and how its errors look.

Django keeps one configuration in a process, so each test runs a script of its own in a fresh interpreter.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.clients.contract import FRESH, NOISE, VISITORS, Answer, Refusal, Served, check_contract
from tests.gateway.clients.shop import PASSWORD

pytest.importorskip("django")

_START = """
import io, sys, django
from django.conf import settings
port, user, options = int(sys.argv[1]), sys.argv[2], sys.argv[3]
settings.configure(
    DATABASES={{"default": {{"ENGINE": "django.db.backends.postgresql", "HOST": "127.0.0.1", "PORT": port,
        "USER": user, "PASSWORD": {password!r}, "NAME": "shop", "OPTIONS": {{"options": options}}}}}},
    INSTALLED_APPS=[], USE_TZ=True, TIME_ZONE="UTC", DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()
from django.core.management import call_command
from django.db import DatabaseError, connection, models
def inspected():
    out = io.StringIO()
    call_command("inspectdb", stdout=out)
    return out.getvalue()
"""
_MODELS = """
class Visit(models.Model):
    visitor = models.BigIntegerField(primary_key=True)
    page = models.TextField()
    age = models.IntegerField()
    day = models.DateField()
    class Meta:
        app_label, managed, db_table = "shop", False, "visits"
class Page(models.Model):
    page = models.TextField(primary_key=True)
    title = models.TextField()
    class Meta:
        app_label, managed, db_table = "shop", False, "pages"
from django.db.models import Avg, Count, Q
from django.db.models.functions import TruncDay, TruncMonth
"""


def run(served: Served, script: str, *more: str, user: str = "django", options: str = FRESH) -> Any:
    """What a script leaves in `answer`, from an interpreter that has only Django."""
    text = f"{_START.format(password=PASSWORD)}{_MODELS}{script}\nprint(repr(answer))"
    command = [sys.executable, "-c", text, str(served.port), user, options, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout)


_ASK = """
answer = []
for question in sys.argv[4:]:
    with connection.cursor() as cursor:
        try:
            cursor.execute(question)
            answer.append([tuple(map(str, row)) for row in cursor.fetchall()])
        except DatabaseError as error:
            said = error.__cause__.diag
            answer.append((said.sqlstate, said.message_primary, said.message_detail, said.message_hint, 0))
"""


def test_contract(served: Served) -> None:
    def ask(user: str, questions: Sequence[str]) -> list[Answer]:
        found = run(served, _ASK, *questions, user=user)
        return [Refusal(*one[:4]) if isinstance(one, tuple) else one for one in found]

    check_contract(served, "django", ask)


def test_inspectdb(served: Served) -> None:
    """It reads one row of each table to learn names and types: a preview, which may be empty."""
    before = served.count("django")
    text = run(served, "answer = inspected()", options="-c dp_preview=empty")
    assert "Unable to inspect" not in text
    for line in (
        "class Visits(models.Model):",
        "    visitor = models.BigIntegerField(db_comment='privacy unit')",
        "    amount = models.DecimalField(max_digits=9, decimal_places=2",
        "    page = models.TextField(primary_key=True)",
        "    title = models.TextField(db_comment='As shown')",
        "        db_table_comment = 'What the site has; public'",
    ):
        assert line in text
    refused = run(served, "answer = inspected()")
    assert "# Unable to inspect table 'visits'\n# The error was: private rows cannot be listed" in refused
    assert served.count("django") == before


def test_orm(served: Served) -> None:
    before = served.count("django")
    script = """
pages = Visit.objects.values_list("page").annotate(n=Count("*"))
months = Visit.objects.annotate(d=TruncMonth("day"))
days = Visit.objects.annotate(d=TruncDay("day"))
answer = [
    list(pages.order_by("-n")[:2]),
    Visit.objects.filter(page__icontains="OM").count(),
    Visit.objects.filter(page__in=["home", "help"], age__gte=20, day__lt="2024-01-11").count(),
    Visit.objects.aggregate(age=Avg("age"), n=Count("pk", filter=Q(page="news"))),
    [(str(d), n) for d, n in months.values_list("d").annotate(n=Count("*"))],
    [(str(d), n) for d, n in days.values_list("d").annotate(n=Count("*")).order_by("d")],
    [page.title for page in Page.objects.filter(title__icontains="T").order_by("page")],
    Page.objects.filter(page="home").exists(),
]
"""
    top, om, few, ages, months, days, titles, exists = run(served, script)
    assert [page for page, _ in top] == ["home", "news"]
    assert abs(top[0][1] - VISITORS["home"]) < NOISE
    assert abs(om - VISITORS["home"]) < NOISE  # home has om in it
    assert 0 < few < VISITORS["home"]
    assert 40 < ages["age"] < 55
    assert abs(ages["n"] - VISITORS["news"]) < NOISE
    assert [month for month, _ in months] == ["2024-01-01"]
    assert [day for day, _ in days] == [f"2024-01-{day:02}" for day in range(1, 31)]
    assert all(abs(n - 200) < NOISE for _, n in days)
    assert titles == ["Start", "What's new", 'Buy "it"']
    assert exists
    assert served.count("django") == before + 6
