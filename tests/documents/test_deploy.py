"""What examples/deploy says is what a server takes: settings start one, and units are whole and closed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from dpduck.doors.cli import main
from dpduck.doors.cli.arguments import read_arguments
from tests.gateway.serving import serving
from tests.gateway.wiring import certificate, make_shop

FOLDER = Path(__file__).parents[2] / "examples" / "deploy"
SETTINGS = FOLDER / "dpduck.toml"
PLACES = ("/data", "/ledger", "/anchor", "/tls")
MOST_EXPOSED = 15  # tenths, of 100
PROBE = re.compile(r"http://127\.0\.0\.1:(\d+)/(healthz|readyz)")


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def parsed(name: str) -> list[Any]:
    import yaml  # comes with what builds the documentation

    return list(yaml.safe_load_all(text(name)))


# --- the settings --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_settings_start_a_server_that_is_well_set_up(
    tmp_path: Path, on_a_disk: None, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are, but for where the folders are: what a container mounts, a folder of the test holds."""
    monkeypatch.delenv("DPDUCK_CONFIG", raising=False)
    for place in PLACES:
        (tmp_path / place[1:]).mkdir(mode=0o700)
    data = make_shop(tmp_path / "data/shop.duckdb", limit="10")
    data.chmod(0o600)
    for made, name in zip(certificate(tmp_path / "tls"), ("tls.crt", "tls.key"), strict=True):
        made.replace(tmp_path / "tls" / name)
    (tmp_path / "tls/tls.key").chmod(0o600)
    settings = tmp_path / "dpduck.toml"
    settings.write_text(re.sub(r'"(/(data|ledger|anchor|tls)/)', rf'"{tmp_path}\1', SETTINGS.read_text()))
    settings.chmod(0o600)
    main(("analyst", "add", "ana", "--config", str(settings), "--password-file", _password(tmp_path)))
    capfd.readouterr()
    main(("check", str(settings)))
    said = capfd.readouterr().out
    assert " 0 wrong, 0 danger," in said, said
    with serving(data, "--config", str(settings), "--metrics-port", "0"):
        log = Path(f"{data}.log").read_text()
        found = re.search(r"http://127.0.0.1:\d+/metrics", log)
        assert found is not None
        for path in ("healthz", "readyz"):
            with urllib.request.urlopen(found[0].replace("metrics", path), timeout=10) as answer:
                assert answer.read() == b"ok\n"
    assert (tmp_path / "ledger/shop.ledger").exists()
    assert json.loads((tmp_path / "anchor/shop.anchor").read_text())["number"] >= 1


def _password(folder: Path) -> str:
    place = folder / "password"
    place.write_text("correct horse battery\n")
    return str(place)


def test_the_places_of_the_settings_are_those_of_the_units() -> None:
    options = read_arguments(("serve", "--config", str(SETTINGS)))
    used = [
        options.file.text,
        options.ledger,
        options.anchor,
        options.serving.tls_cert,
        options.serving.tls_key,
    ]
    assert {f"/{Path(str(place)).parts[1]}" for place in used} == set(PLACES)
    unit = text("dpduck.service")
    assert "ReadOnlyPaths=/data /tls /etc/dpduck\nReadWritePaths=/ledger /anchor\n" in unit
    assert 'VOLUME ["/ledger", "/anchor"]' in text("Dockerfile")
    for name in ("Dockerfile", "kubernetes.yaml"):
        ports = {int(port) for port, _ in PROBE.findall(text(name))}
        assert ports == {options.serving.metrics_port}
    assert f"EXPOSE {options.serving.port}" in text("Dockerfile")


# --- the container -------------------------------------------------------------------------------


def test_the_image_has_what_it_copies_and_runs_as_nobody_special() -> None:
    lines = [line for line in text("Dockerfile").replace("\\\n", " ").splitlines() if line[:1].isupper()]
    for line in lines:
        word, *rest = line.split()
        if word == "COPY" and not rest[0].startswith("--from"):
            assert all((FOLDER.parents[1] / source).exists() for source in rest[:-1]), line
    last = [line for line in lines if line.startswith("USER")]
    assert last == ["USER 10001:10001"]
    assert lines.index("USER 10001:10001") > max(i for i, line in enumerate(lines) if line.startswith("RUN"))
    assert [line for line in lines if line.startswith(("ENTRYPOINT", "CMD"))] == [
        'ENTRYPOINT ["dpduck"]',
        'CMD ["serve"]',
    ]
    assert "DPDUCK_CONFIG=/etc/dpduck/dpduck.toml" in text("Dockerfile")
    assert not re.search(r"(?i)password|secret", text("Dockerfile"))


@pytest.mark.docs
def test_the_compose_file() -> None:
    [document] = parsed("compose.yaml")
    service = document["services"]["dpduck"]
    assert (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).resolve() == (
        FOLDER / "Dockerfile"
    )
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    mounts = dict(reversed(one.removesuffix(":ro").rsplit(":", 1)) for one in service["volumes"])
    assert set(mounts) == {*PLACES, "/etc/dpduck/dpduck.toml"}
    assert {mounts["/ledger"], mounts["/anchor"]} == set(document["volumes"])
    assert [one for one in service["volumes"] if not one.endswith(":ro")] == [
        "ledger:/ledger",
        "anchor:/anchor",
    ]


@pytest.mark.docs
def test_the_manifest() -> None:
    documents = {(one["kind"], one["metadata"]["name"]): one for one in parsed("kubernetes.yaml")}
    settings = documents["ConfigMap", "dpduck"]["data"]["dpduck.toml"]
    assert tomllib.loads(settings) == tomllib.loads(SETTINGS.read_text())
    deployment = documents["Deployment", "dpduck"]["spec"]
    assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})  # never two ledgers
    pod = deployment["template"]["spec"]
    assert pod["enableServiceLinks"] is False and pod["securityContext"]["runAsNonRoot"] is True
    [container] = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    mounts = {one["mountPath"]: one for one in container["volumeMounts"]}
    assert set(mounts) == {*PLACES, "/etc/dpduck", "/tmp"}
    writable = {path for path, one in mounts.items() if not one.get("readOnly")}
    assert writable == {"/ledger", "/anchor", "/tmp"}
    volumes = {one["name"]: one for one in pod["volumes"]}
    assert set(volumes) == {one["name"] for one in mounts.values()}
    claims = {
        one["persistentVolumeClaim"]["claimName"] for one in pod["volumes"] if "persistentVolumeClaim" in one
    }
    assert {name for kind, name in documents if kind == "PersistentVolumeClaim"} == claims - {"dpduck-data"}
    assert volumes["tls"]["secret"]["defaultMode"] == 0o400
    selector = documents["Service", "dpduck"]["spec"]["selector"]
    assert selector == deployment["selector"]["matchLabels"] == deployment["template"]["metadata"]["labels"]
    paths = [
        PROBE.search(container[name]["exec"]["command"][-1]) for name in ("livenessProbe", "readinessProbe")
    ]
    assert [path and path[2] for path in paths] == ["healthz", "readyz"]


# --- the unit ------------------------------------------------------------------------------------


@pytest.mark.services
def test_the_unit_is_whole_and_closed(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed here (Debian: apt-get install systemd)")
    unit = tmp_path / "dpduck.service"
    unit.write_text(text("dpduck.service").replace("/opt/dpduck/bin/dpduck", "/bin/true"))

    def analyze(*words: str) -> subprocess.CompletedProcess[str]:
        command = ["systemd-analyze", *words, str(unit)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    done = analyze("verify")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}")
    assert done.returncode == 0, done.stdout
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", "ProtectSytem=strict"))
    assert "ProtectSytem" in analyze("verify").stderr  # it would see a misspelt line
