# SPDX-License-Identifier: GPL-3.0-or-later
"""Alert rules and dashboard in a real Prometheus, with the metrics of a simulated cluster in good and in bad state.

Prometheus scrapes each node of three clusters over HTTP. One is healthy. In the second a cable is pulled, a NIC is
deaf, and a switch has no power. In the third a switch has split, and a NIC loses frames. The page of a node has what
node_exporter adds, the time of its textfile.
"""

from __future__ import annotations

import http.server
import json
import random
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from clockwork import Clockwork
from linkd_metrics import export, make_cluster, make_deaf, split_switch
from programs import ROOT
from six_pcs import SIX
from waiting import wait_until

RULES = ROOT / "monitoring/fnn-linkd.rules.yml"
DASHBOARD = ROOT / "monitoring/fnn-linkd.dashboard.json"
#: Seconds: within these each alert that is due has fired, and those of a state that lasts for minutes are pending.
FIRED = 90


class Exporter(http.server.ThreadingHTTPServer):
    """Serves the metrics of the nodes: /good/k00 and so on. pages: path -> text without the time of the textfile."""

    def __init__(self, pages: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = pages
        self.began = time.time()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Exporter)
        is_stopped = self.path.endswith("/k05") and self.path.startswith("/bad/")
        written = self.server.began - 300 if is_stopped else time.time()
        file = f'node_textfile_mtime_seconds{{file="/var/lib/fnn/linkd.prom"}} {written:.0f}\n'
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write((self.server.pages[self.path] + file).encode())

    def log_message(self, *_: object) -> None:
        """No line for each request."""


def break_links(cluster: Clockwork) -> None:
    """k00 has no carrier on red, k02 is deaf on red, and green has no power."""
    cluster.set_carrier("k00", "red", False)
    make_deaf(cluster, "k02", "red")
    for node, switches in SIX.items():
        if "green" in switches:
            cluster.set_carrier(node, "green", False)
    cluster.run(5)


def break_pairs(cluster: Clockwork) -> None:
    """Red is in two parts, and a fifth of the frames to k04 on blue are lost."""
    split_switch(cluster, "red", ("k00", "k01"))
    whole, chance = cluster.passes, random.Random(1)
    assert whole
    cluster.passes = lambda at, *ends: (
        whole(at, *ends) and not ((at, ends[1]) == ("blue", "k04") and chance.random() < 0.2)
    )
    cluster.run(60)


#: What is wrong in each cluster.
JOBS: dict[str, Callable[[Clockwork], None]] = {"good": lambda _: None, "bad": break_links, "cut": break_pairs}


class Prometheus:
    """A running Prometheus at a port of this machine."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"

    def get(self, path: str, **values: str) -> Any:
        with urllib.request.urlopen(f"{self.address}/{path}?{urllib.parse.urlencode(values)}", timeout=50) as answer:
            return json.load(answer)

    def list_alerts(self, job: str, state: str) -> set[tuple[str, str]]:
        """Name of the alert and its node, or its switch where it concerns no node."""
        return {
            (each["labels"]["alertname"], each["labels"].get("instance", each["labels"].get("switch", "")))
            for each in self.get("api/v1/alerts")["data"]["alerts"]
            if each["labels"].get("job") == job and each["state"] == state
        }


@pytest.fixture(scope="module")
def exporter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exporter]:
    pages = {}
    for job, harm in JOBS.items():
        cluster, directory = make_cluster(), tmp_path_factory.mktemp(job)
        harm(cluster)
        pages |= {f"/{job}/{node}": export(cluster, node, directory) for node in SIX}
    with Exporter(pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def prometheus(exporter: Exporter, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    assert shutil.which("prometheus"), "prometheus is not installed; make full-setup installs it"
    place = tmp_path_factory.mktemp("prometheus")
    target = f"127.0.0.1:{exporter.server_port}"
    jobs = [
        {
            "job_name": f"{job}-{node}",
            "metrics_path": f"/{job}/{node}",
            "static_configs": [{"targets": [target]}],
            "relabel_configs": [
                {"target_label": "instance", "replacement": node},
                {"target_label": "job", "replacement": job},
            ],
        }
        for job in JOBS
        for node in SIX
    ]
    config = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(RULES)],
        "scrape_configs": jobs,
    }
    (place / "prometheus.yml").write_text(yaml.safe_dump(config))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        "prometheus",
        f"--config.file={place / 'prometheus.yml'}",
        f"--storage.tsdb.path={place / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield wait_until_ready(Prometheus(port), process, place / "log")
        finally:
            process.terminate()
            process.wait(timeout=150)


def wait_until_ready(prometheus: Prometheus, process: subprocess.Popen[bytes], log: Path) -> Prometheus:
    for _ in range(300):
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(f"{prometheus.address}/-/ready", timeout=5).close()
            return prometheus
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"Prometheus does not start: {log.read_text()}")


#: What must be reported about the broken cluster: green without power, k00 without a cable, k02 deaf.
EXPECTED = {
    ("FnnNoCarrier", "k00"),
    *(("FnnNoCarrier", node) for node, switches in SIX.items() if "green" in switches),
    ("FnnNicNotUsed", "k02"),
    ("FnnSwitchDown", "green"),
    ("FnnLinkdSilent", "k05"),
}


#: The same of the third: red is split, k04 loses frames.
CUT = {("FnnPairsCut", "red"), ("FnnNicLosesFrames", "k04")}


def test_promtool_accepts_the_rules() -> None:
    done = subprocess.run(["promtool", "check", "rules", str(RULES)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_alerts_fire_for_failed_links_and_none_for_a_healthy_cluster(prometheus: Prometheus) -> None:
    wait_until(lambda: prometheus.list_alerts("bad", "firing") == EXPECTED, FIRED, every=1)
    assert {name for name, _ in prometheus.list_alerts("bad", "pending")} == {"FnnDetours"}
    wait_until(lambda: prometheus.list_alerts("cut", "firing") == CUT, FIRED, every=1)
    assert prometheus.list_alerts("good", "firing") | prometheus.list_alerts("good", "pending") == set()


def list_panels() -> list[tuple[str, str]]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [
        (panel["title"], target["expr"].replace("$instance", ".*")) for panel in panels for target in panel["targets"]
    ]


@pytest.mark.parametrize(("title", "query"), list_panels())
def test_the_query_of_a_panel_has_a_result(title: str, query: str, prometheus: Prometheus) -> None:
    for _ in range(50):
        answer = prometheus.get("api/v1/query", query=query)
        if answer["data"]["result"]:
            break
        time.sleep(0.2)
    assert answer["status"] == "success"
    assert answer["data"]["result"], title
