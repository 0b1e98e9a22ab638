"""The figures tell what happened, and cannot be made to grow by those who are counted."""

from __future__ import annotations

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from api import Config, create_app
from api.examples import FILES, POSITIONS
from api.service import service_of


def figures(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_requests_places_and_batches_are_counted(tmp_path: Path) -> None:
    app = create_app(Config(home=str(tmp_path), solver_slots=3))
    client = app.test_client()
    for _ in range(2):
        client.post("/v1/analyze", json=POSITIONS["code"]["value"])
    client.post("/v1/analyze", json={})
    (example,) = FILES["content"]["text/plain"]["examples"].values()
    client.post("/v1/batches", data=example["value"], content_type="text/plain")
    with service_of(app).metrics.solving.track_inprogress():
        found = figures(client.get("/metrics").text)

    def requests(status: str, route: str) -> float:
        labels = (("method", "POST"), ("route", route), ("status", status))
        return found["rightbower_requests_total", labels]

    assert requests("200", "/v1/analyze") == 2
    assert requests("422", "/v1/analyze") == 1
    assert requests("202", "/v1/batches") == 1
    assert found["rightbower_request_seconds_count", (("route", "/v1/analyze"),)] == 3
    assert found["rightbower_solver_slots", ()] == 3
    assert found["rightbower_solver_slots_used", ()] == 1
    assert found["rightbower_jobs", (("state", "running"),)] == 1
    assert found["rightbower_chunks", (("state", "waiting"),)] == 0
    assert found["rightbower_batch_upload_bytes_total", ()] == len(example["value"])


def test_addresses_and_methods_that_are_made_up_are_one_figure(tmp_path: Path) -> None:
    client = create_app(Config(home=str(tmp_path))).test_client()
    client.get("/nowhere")
    client.open("/nowhere", method="BREW0")
    before = len(figures(client.get("/metrics").text))
    client.get("/metrics")
    before = len(figures(client.get("/metrics").text))
    for number in range(20):
        client.get(f"/{number}")
        client.open("/nowhere", method=f"BREW{number}")
        client.get(f"/v1/batches/{number:032}")
    after = figures(client.get("/metrics").text)
    grown = {labels for (_, labels) in after if ("route", "/v1/batches/<job_id>") in labels}
    assert len(after) - before <= 20
    assert len(grown) > 0


def test_two_applications_keep_their_figures_apart(tmp_path: Path) -> None:
    one, other = (create_app(Config(home=str(tmp_path))).test_client() for _ in range(2))
    one.get("/healthz")
    assert 'route="/healthz"' in one.get("/metrics").text
    assert 'route="/healthz"' not in other.get("/metrics").text
