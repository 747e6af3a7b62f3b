"""Files at addresses, read for real: the extension httpfs asks a server on this machine, by http and s3.

The extension must be of the version of the package duckdb. It is looked for in the folder that DUCKDB_SHELL
names (pip install --no-deps --target FOLDER duckdb-extension-httpfs==1.5.5), then among the packages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import duckdb
import pytest

import dpduck
from dpduck.engines.source import open_source
from dpduck.kernel.catalog.statements import AddPrivacyKey, TableName
from dpduck.kernel.errors import DpduckError

FOLDERS = (Path(os.environ.get("DUCKDB_SHELL", "nowhere")), Path(sysconfig.get_path("purelib")))
EXTENSION = next(
    (
        found
        for folder in FOLDERS
        for found in folder.glob(f"duckdb_extension_httpfs/extensions/v{duckdb.__version__}/*")
    ),
    None,
)
PERSONS = "SELECT range AS person, 'row-1234' AS note FROM range({})"
SECRET = "hunter2"

if EXTENSION is None:
    pytest.skip("the extension httpfs is not installed as a package", allow_module_level=True)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Where a server of S3 is, which also gives whole objects to anybody who asks by http."""
    command = [sys.executable, "-c", "from moto.server import main; main()", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = next(filter(None, (re.search(r"http://(\S+)", line) for line in process.stderr)))
        yield found[1]
        process.kill()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which the extension is installed, and no secret is kept."""
    assert EXTENSION is not None
    with duckdb.connect() as db:
        kind = str(db.sql("PRAGMA platform").fetchall()[0][0])
    place = tmp_path / ".duckdb" / "extensions" / EXTENSION.parent.name / kind
    place.mkdir(parents=True)
    shutil.copy(EXTENSION, place)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Bucket:
    """A bucket of its own, and the secret of this home that opens it."""

    def __init__(self, server: str, name: str) -> None:
        self.server, self.name = server, name
        urlopen(Request(f"http://{server}/{name}", method="PUT")).close()

    def keep_secret(self) -> None:
        said = f"KEY_ID 'me', SECRET '{SECRET}', ENDPOINT '{self.server}', USE_SSL false, URL_STYLE 'path'"
        with duckdb.connect() as db:
            db.execute(f"LOAD httpfs; CREATE PERSISTENT SECRET (TYPE s3, {said}, REGION 'us-east-1')")

    def put(self, file: str, persons: int = 1000, sql: str = PERSONS) -> None:
        with duckdb.connect() as db:
            db.execute(f"COPY ({sql.format(persons)}) TO 'sent{Path(file).suffix}'")
        about = {"Content-Type": "application/octet-stream", "x-amz-acl": "public-read"}
        sent = Path(f"sent{Path(file).suffix}").read_bytes()
        urlopen(Request(f"http://{self.server}/{self.name}/{file}", sent, about, method="PUT")).close()

    def at(self, file: str, scheme: str = "s3") -> str:
        return f"{scheme}://{self.name if scheme == 's3' else f'{self.server}/{self.name}'}/{file}"


@pytest.fixture
def bucket(server: str, request: pytest.FixtureRequest) -> Bucket:
    return Bucket(server, re.sub("[^a-z0-9]+", "-", request.node.name).strip("-"))


def opened(path: str, table: str) -> dpduck.Connection:
    policies = [AddPrivacyKey(TableName(table), "person")]
    return dpduck.connect(path, ledger="kept.ledger", epsilon="0.5", policies=policies, session="s")


def count(connection: dpduck.Connection, table: str, more: str = "") -> int:
    """Off by 100 once in e^50 times."""
    return int(connection.execute(f"SELECT count(*) FROM {table} {more}").fetchall()[0][0])


def refusal(path: str) -> str:
    with pytest.raises(DpduckError) as caught:
        open_source(path, read_only=True)
    assert caught.value.charged == "0"
    assert "row-1234" not in str(caught.value)
    assert SECRET not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_one_file_by_http(bucket: Bucket, kind: str) -> None:
    bucket.put(f"visits.{kind}")
    with opened(bucket.at(f"visits.{kind}", "http"), "visits") as connection:
        assert abs(count(connection, "visits") - 1000) < 100


def test_many_files_by_s3(bucket: Bucket) -> None:
    """With partitions, and those that come later."""
    bucket.keep_secret()
    bucket.put("visits/year=2023/a.parquet", 1000)
    bucket.put("visits/year=2024/a.parquet", 2000)
    for pattern in ("visits/*/*.parquet", "visits/**/*.parquet", "visits/"):
        with opened(bucket.at(pattern), "visits") as connection:
            assert abs(count(connection, "visits", "WHERE year = 2023") - 1000) < 100
            assert abs(count(connection, "visits") - 2000) < 100
            bucket.put("visits/year=2023/b.parquet", 3000)
            assert abs(count(connection, "visits", "WHERE year <= 2023") - 3000) < 100
        bucket.put("visits/year=2023/b.parquet", 10)


def test_a_later_file_that_does_not_fit_is_not_read(bucket: Bucket) -> None:
    bucket.keep_secret()
    bucket.put("visits/a.parquet")
    with opened(bucket.at("visits/*.parquet"), "visits") as connection:
        bucket.put("visits/b.parquet", sql="SELECT 'row-1234' AS person, range AS note FROM range({})")
        with pytest.raises(DpduckError, match=r"b\.parquet does not fit") as caught:
            count(connection, "visits")
        assert caught.value.charged == "0"
        assert "row-1234" not in str(caught.value)


def test_nothing_else_can_be_read(bucket: Bucket) -> None:
    bucket.keep_secret()
    for file in ("visits/a.parquet", "visits2/a.parquet", "a.parquet"):
        bucket.put(file)
    connection = open_source(bucket.at("visits/*.parquet"), read_only=True).connection
    assert connection.sql(f"FROM '{bucket.at('visits/a.parquet')}'").fetchone()
    for outside in (
        bucket.at("visits2/a.parquet"),
        bucket.at("visits/a.parquet", "http"),
        "sent.parquet",
    ):
        with pytest.raises(duckdb.Error, match="Permission"):
            connection.execute(f"FROM read_parquet('{outside}')")
    with pytest.raises(duckdb.Error):
        connection.execute("FROM duckdb_secrets(redact = false)")


@pytest.mark.parametrize("file", ["none.parquet", "none/*.parquet", "none.csv"])
@pytest.mark.parametrize("scheme", ["http", "s3"])
def test_what_is_not_there(bucket: Bucket, file: str, scheme: str) -> None:
    if scheme == "s3":
        bucket.keep_secret()
    said = refusal(bucket.at(file, scheme))
    assert "none" in said
    assert re.search("cannot be read|no file matches|does not fit", said)


def test_s3_needs_a_secret(bucket: Bucket) -> None:
    bucket.put("visits/a.parquet")
    assert "there are no credentials" in refusal(bucket.at("visits/*.parquet"))
    bucket.keep_secret()
    assert "cannot be read" in refusal("s3://another-bucket/visits/*.parquet")


def test_an_answer_is_given_again(bucket: Bucket) -> None:
    bucket.put("visits.parquet")
    answers: Counter[int] = Counter()
    for _ in range(3):
        with opened(bucket.at("visits.parquet", "http"), "visits") as connection:
            answers[count(connection, "visits")] += 1
    assert len(answers) == 1
