"""Batches over HTTP: what is handed in is done, kept and read; what is wrong is refused and leaves nothing behind."""

from __future__ import annotations

import errno
import gzip
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api import Config, create_app
from api.jobs.desk import Desk
from api.jobs.spool import Spool
from api.service import service_of
from solver.batch.engines import Threads
from solver.batch.jobs import spec_of
from solver.batch.results import fault_lines, result_lines
from solver.batch.runner import Runner
from solver.batch.source import LINES, formats
from solver.batch.store import Store
from solver.errors import InvalidInput
from solver.notation.batch_query import read_batch
from tests.api.test_errors import faults_of
from tests.batch.files import dealt_codes

TEXT = "text/plain"
DATA = Path(__file__).parents[2] / "data"
EGN = (DATA / "egn" / "game02.egn").read_bytes()
CODES = "".join(f"{code}\n" for code in [*dealt_codes(30, 3), "nothing", *dealt_codes(10, 4)]).encode()


def app_with(tmp_path: Path, **settings: Any) -> Flask:
    return create_app(Config(home=str(tmp_path / "home"), **settings))


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return app_with(tmp_path)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def desk_of(app: Flask) -> Desk:
    return service_of(app).desk


def uploads(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "home" / "uploads").glob("*"))


def post(client: FlaskClient, data: bytes = CODES, query: str = "", **headers: str) -> TestResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(f"/v1/batches{query}", data=data, content_type=TEXT, headers=named)


def work(app: Flask, size: int | None = None) -> None:
    """What a worker does, until all is done."""
    engine, store = Threads(1), desk_of(app).store
    for job in store.jobs():
        Runner(store, engine, job_id=job.id, size=size).run()
    engine.close()


def follow(client: FlaskClient, path: str) -> list[dict[str, Any]]:
    """All lines of all pages."""
    lines: list[dict[str, Any]] = []
    while path:
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.content_type == "application/x-ndjson"
        lines += [json.loads(line) for line in answer.data.splitlines()]
        link = answer.headers.get("Link", "")
        assert not link or link.endswith('>; rel="next"')
        path = link.partition(">")[0].removeprefix("<")
    return lines


def test_a_batch_from_the_file_to_the_last_page(client: FlaskClient, app: Flask) -> None:
    answer = post(client)
    assert answer.status_code == 202
    place = answer.headers["Location"]
    begun = answer.get_json()
    assert begun["links"]["self"] == place == f"/v1/batches/{begun['id']}"
    assert (begun["state"], begun["kind"], begun["progress"]["share"]) == ("running", "tables", 0.0)
    waiting = client.get(begun["links"]["results"])
    assert (waiting.data, waiting.headers["Retry-After"]) == (b"", "1")
    assert "after=0.0" in waiting.headers["Link"]
    work(app, size=400)
    ended = client.get(place).get_json()
    assert (ended["state"], ended["progress"]["records"], ended["progress"]["bad"]) == ("done", 41, 1)
    assert ended["progress"]["share"] == 1.0
    store = desk_of(app).store
    job = store.job(ended["id"])
    rows = [json.loads(line) for line in b"".join(result_lines(store, job)).splitlines()]
    assert len(rows) == 40
    for limit in ("", "?limit=1", "?limit=7", "?limit=40", "?limit=1000000"):
        assert follow(client, ended["links"]["results"] + limit) == rows
    bad = follow(client, ended["links"]["errors"] + "?limit=1")
    assert bad == [json.loads(line) for line in b"".join(fault_lines(store, job)).splitlines()]
    assert [(each["record"], each["errors"][0]["code"]) for each in bad] == [(31, "code.invalid")]
    sums = client.get(ended["links"]["summary"]).get_json()
    assert (sums["records"], sums["rows"], sums["bad"]) == (41, 40, 1)


def test_no_answer_says_where_files_lie(client: FlaskClient, app: Flask, tmp_path: Path) -> None:
    place = post(client).headers["Location"]
    for path in uploads(tmp_path):
        path.write_bytes(b"changed")
    work(app)
    state = client.get(place)
    assert "the file has changed" in state.get_json()["progress"]["errors"][0]
    wrong = post(client, b"what is this?")
    for answer in (state, wrong, *(client.get(f"{place}/{each}") for each in ("results", "errors", "summary"))):
        assert str(tmp_path) not in answer.text


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [("gzip", gzip.compress), ("GZIP", gzip.compress), ("zstd", zstandard.ZstdCompressor().compress)],
)
def test_a_compressed_file_is_the_file(client: FlaskClient, encoding: str, encode: Any) -> None:
    plain = post(client).get_json()["id"]
    assert post(client, encode(CODES), Content_Encoding=encoding).get_json()["id"] == plain


def test_a_file_without_a_stated_length_is_taken(client: FlaskClient) -> None:
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    answer = client.post("/v1/batches", input_stream=io.BytesIO(CODES), environ_overrides=environ)
    assert answer.get_json()["id"] == post(client).get_json()["id"]


def test_the_options_are_those_of_the_command_line(client: FlaskClient) -> None:
    answer = post(client, EGN, "?kind=advice&worlds=20&seed=7&method=pimc&format=egn").get_json()
    assert (answer["kind"], answer["settings"]) == ("advice", {"worlds": 20, "seed": 7, "method": "pimc"})


def test_reviews_of_a_batch_are_those_of_review(client: FlaskClient, app: Flask) -> None:
    game = (DATA / "egn" / "game27.egn").read_bytes()
    links = post(client, game, "?kind=review&depth=fast&seed=3").get_json()["links"]
    work(app)
    (row,) = follow(client, links["results"])
    assert (row.pop("file"), row.pop("record")) == (0, 1)
    assert row == client.post("/v1/review", json={**json.loads(game), "depth": "fast", "seed": 3}).get_json()
    seats = client.get(links["summary"]).get_json()["by"]["seat"]
    choices = sum(not each["forced"] for deal in row["deals"] for each in deal["decisions"])
    assert sum(each["rows"] for each in seats.values()) == choices > 0


def test_equal_work_is_one_batch_and_a_key_makes_it_another(client: FlaskClient, tmp_path: Path) -> None:
    first = post(client).get_json()["id"]
    assert post(client).get_json()["id"] == first
    keyed = post(client, Idempotency_Key="mine").get_json()["id"]
    assert keyed != first
    assert post(client, Idempotency_Key="mine").get_json()["id"] == keyed
    assert post(client, query="?kind=trace").get_json()["id"] not in (first, keyed)
    assert len(uploads(tmp_path)) == 1, "and equal files are one file"


def test_a_key_for_other_work_is_answered_409(client: FlaskClient) -> None:
    post(client, Idempotency_Key="mine")
    for answer in (
        post(client, CODES[:-60], Idempotency_Key="mine"),
        post(client, query="?kind=trace", Idempotency_Key="mine"),
    ):
        assert faults_of(answer, 409) == [("job.conflict", ["Idempotency-Key"])]


def test_cancelled_stays_cancelled_until_it_is_handed_in_again(client: FlaskClient, app: Flask) -> None:
    place = post(client).headers["Location"]
    for _ in range(2):
        assert client.delete(place).get_json()["state"] == "cancelled"
    work(app)
    assert client.get(place).get_json()["progress"]["rows"] == 0
    assert follow(client, f"{place}/results") == []
    assert post(client).headers["Location"] == place
    work(app)
    assert client.delete(place).get_json()["state"] == "done"
    assert len(follow(client, f"{place}/results")) == 40


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("?kind=x", ["kind"]),
        ("?worlds=5", ["worlds"]),
        ("?kind=advice&worlds=0", ["worlds"]),
        ("?kind=advice&worlds=1_0", ["worlds"]),
        ("?kind=advice&worlds=٣", ["worlds"]),
        ("?kind=advice&seed=-1", ["seed"]),
        ("?kind=advice&seed=" + "9" * 5000, ["seed"]),
        ("?kind=advice&method=x", ["method"]),
        ("?kind=review&depth=x", ["depth"]),
        ("?kind=trace&depth=fast", ["depth"]),
        ("?kind=tables&kind=trace", ["kind"]),
        ("?output=parquet", ["output"]),
        ("?key=mine", ["key"]),
        ("?path=/etc/passwd", ["path"]),
    ],
)
def test_a_wrong_option_is_answered_422_at_its_place(
    client: FlaskClient, tmp_path: Path, query: str, path: list[str]
) -> None:
    assert path in [place for _, place in faults_of(post(client, query=query), 422)]
    assert uploads(tmp_path) == []


@pytest.mark.parametrize(
    "query", ["?after=x", "?after=-1.0", "?limit=0", "?limit=x", "?limit=1000001", "?page=2", "?limit=1&limit=2"]
)
def test_a_wrong_page_is_answered_422(client: FlaskClient, query: str) -> None:
    place = post(client).headers["Location"]
    for what in ("results", "errors"):
        faults_of(client.get(f"{place}/{what}{query}"), 422)


def test_a_file_of_no_known_format_is_answered_422(client: FlaskClient, tmp_path: Path) -> None:
    for data, code in ((b"", "log.format"), (b"what is this?", "log.format"), (bytes(3000), "file.unreadable")):
        assert [each for each, _ in faults_of(post(client, data), 422)] == [code]
    assert [code for code, _ in faults_of(post(client, query="?format=doc"), 422)] == ["log.format"]
    assert uploads(tmp_path) == []


@pytest.mark.parametrize("media", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "image/png"])
def test_another_media_type_is_answered_415(client: FlaskClient, media: str) -> None:
    faults_of(client.post("/v1/batches", data=CODES, content_type=media), 415)


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip", "deflate", "x" * 5000, "é"])
def test_another_encoding_is_answered_415(client: FlaskClient, encoding: str) -> None:
    faults_of(post(client, Content_Encoding=encoding), 415)


@pytest.mark.parametrize("key", ["", " ", "a b", "ü", "x" * 201])
def test_a_key_that_is_none_is_answered_422(client: FlaskClient, key: str) -> None:
    assert faults_of(post(client, Idempotency_Key=key), 422) == [("field.invalid", ["Idempotency-Key"])]


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_body_that_is_not_what_it_says_is_answered_400(client: FlaskClient, tmp_path: Path, encoding: str) -> None:
    cut = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}[encoding](CODES)[:-5]
    for data in (CODES, cut, b""):
        assert faults_of(post(client, data, Content_Encoding=encoding), 400) == [("request.encoding", [])]
    assert uploads(tmp_path) == []


def test_a_body_that_breaks_off_is_answered_400(client: FlaskClient, tmp_path: Path) -> None:
    environ = {"wsgi.input_terminated": True, "CONTENT_LENGTH": "5000"}
    answer = client.post("/v1/batches", input_stream=io.BytesIO(CODES[:100]), environ_overrides=environ)
    assert faults_of(answer, 400) == [("request.invalid", [])]
    assert uploads(tmp_path) == []


def test_limits_on_what_is_sent_and_on_what_comes_out_are_answered_413(tmp_path: Path) -> None:
    client = app_with(tmp_path, max_upload_bytes=1024, max_unpacked_bytes=2048).test_client()
    code = CODES[: CODES.index(b"\n") + 1]
    assert post(client, code * (1024 // len(code))).status_code == 202
    stated = post(client, code * 30)
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    unstated = client.post("/v1/batches", input_stream=io.BytesIO(code * 30), environ_overrides=environ)
    bomb = post(client, gzip.compress(code * 1000), Content_Encoding="gzip")
    frames = post(client, zstandard.ZstdCompressor().compress(code * 1000), Content_Encoding="zstd")
    for answer in (stated, unstated, bomb, frames):
        assert faults_of(answer, 413) == [("request.too_large", [])]
    assert len(uploads(tmp_path)) == 1


def test_a_file_that_must_be_read_as_a_whole_has_a_limit_of_its_own(tmp_path: Path) -> None:
    client = app_with(tmp_path, max_whole_bytes=1024).test_client()
    assert len(CODES) > 1024
    assert post(client).status_code == 202
    assert faults_of(post(client, EGN), 413) == [("request.too_large", [])]
    assert {"egn", "ptn"} == {*formats()} - {*LINES}


def test_the_limit_of_open_batches_is_answered_429(tmp_path: Path) -> None:
    app = app_with(tmp_path, max_jobs=1)
    client = app.test_client()
    place = post(client).headers["Location"]
    answer = post(client, EGN)
    assert faults_of(answer, 429) == [("job.too_many", [])]
    assert answer.headers["Retry-After"] == "30"
    client.delete(place)
    assert post(client, EGN).status_code == 202


@pytest.mark.parametrize("settings", [{"max_spool_bytes": 1024}, {"min_free_bytes": 2**49}])
def test_no_room_on_disk_is_answered_503(tmp_path: Path, settings: dict[str, int]) -> None:
    answer = post(app_with(tmp_path, **settings).test_client())
    assert faults_of(answer, 503) == [("service.no_room", [])]
    assert answer.headers["Retry-After"] == "60"
    assert uploads(tmp_path) == []


def test_files_that_arrive_at_once_share_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once had all the room that there was when it began."""
    monkeypatch.setattr("api.jobs.spool._BETWEEN_LOOKS", 100)
    spool = Spool(tmp_path / "uploads", 1000, 0)

    def blocks(meanwhile: int) -> Iterator[bytes]:
        yield bytes(400)
        (tmp_path / "uploads" / "other").write_bytes(bytes(meanwhile))
        for _ in range(4):
            yield bytes(50)

    with spool.received(blocks(400), 10_000) as file:
        assert file.path.stat().st_size == 600
    with pytest.raises(InvalidInput, match="no room"), spool.received(blocks(500), 10_000):
        pass
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == ["other"]


def test_a_disk_that_runs_full_is_answered_503(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("api.jobs.spool.os.write", full)
    assert faults_of(post(client), 503) == [("service.no_room", [])]
    assert uploads(tmp_path) == []


def test_a_database_that_does_not_answer_is_answered_503_and_is_found_again(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    app = app_with(tmp_path, db=f"sqlite:///{tmp_path}/away/jobs.sqlite")
    client = app.test_client()
    for answer in (post(client), client.get("/v1/batches/" + "0" * 32)):
        assert faults_of(answer, 503) == [("service.storage", [])]
        assert answer.headers["Retry-After"] == "5"
        assert "away" not in answer.text
    assert "rightbower_database_up 0.0" in client.get("/metrics").text
    (tmp_path / "away").mkdir()
    assert post(client).status_code == 202
    assert "rightbower_database_up 1.0" in client.get("/metrics").text


def test_a_database_that_was_removed_is_made_anew(client: FlaskClient, app: Flask, tmp_path: Path) -> None:
    """Batches were once taken into a file without a name, where no worker started later could find them."""
    gone = post(client).headers["Location"]
    (tmp_path / "home" / "jobs.sqlite").unlink()
    faults_of(client.get(gone), 404)
    place = post(client).headers["Location"]
    beside = Store(service_of(app).config.database)
    assert [job.id for job in beside.jobs()] == [place.rpartition("/")[2]]
    beside.close()


def test_a_service_without_a_free_place_or_about_to_stop_takes_no_file(tmp_path: Path) -> None:
    app = app_with(tmp_path, transfer_slots=1)
    client, here = app.test_client(), service_of(app)
    place = post(client).headers["Location"]
    for _ in range(3):
        client.get(f"{place}/results").close()
        client.head(f"{place}/results").close()
        faults_of(post(client, b"what is this?"), 422)
    here.transfers.acquire()
    for answer in (post(client), client.get(f"{place}/results")):
        assert faults_of(answer, 503) == [("service.full", [])]
    assert client.get(place).status_code == 200
    here.transfers.release()
    here.draining.set()
    assert faults_of(post(client), 503) == [("service.draining", [])]


def test_batches_do_not_wait_for_the_solver(tmp_path: Path) -> None:
    app = app_with(tmp_path, solver_slots=1, admission_seconds=0)
    client = app.test_client()
    service_of(app).slots.acquire()
    place = post(client).headers["Location"]
    assert client.get(f"{place}/results").status_code == 200


@pytest.mark.parametrize(
    "job_id",
    ["0" * 32, "x", "%00" * 32, "..", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "0" * 5000, "é" * 32, "A" * 32, "%0d%0aX:%20y"],
)
def test_an_id_that_is_none_is_answered_404(client: FlaskClient, job_id: str) -> None:
    for answer in (
        *(client.get(f"/v1/batches/{job_id}{rest}") for rest in ("", "/results", "/errors", "/summary")),
        client.delete(f"/v1/batches/{job_id}"),
    ):
        assert faults_of(answer, 404)[0][0] in ("job.unknown", "request.not_found")
        assert "X" not in answer.headers


def test_only_own_and_old_things_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with(tmp_path, keep_hours=1)
    client, store = app.test_client(), desk_of(app).store
    done = post(client, EGN).headers["Location"]
    work(app)
    cancelled = post(client, CODES[:500]).headers["Location"]
    client.delete(cancelled)
    (tmp_path / "deals.txt").write_bytes(CODES)
    beside = store.submit(spec_of(read_batch({}), [tmp_path / "deals.txt"], tmp_path))
    store.cancel(beside.id)
    running = post(client, CODES).headers["Location"]
    (tmp_path / "home" / "uploads" / ".arriving-left").write_bytes(b"left")

    def later(seconds: float) -> set[str]:
        now = time.time() + seconds
        with monkeypatch.context() as patched:
            patched.setattr("api.jobs.desk.time.time", lambda: now)
            patched.setattr("api.jobs.spool.time.time", lambda: now)
            desk = Desk(service_of(app).config)  # which has not swept yet
            with pytest.raises(Exception, match="none"):
                desk.submit(read_batch({"format": "none"}), None, [b"x"])
            desk.store.close()
        return {each for each in (done, cancelled, running) if client.get(each).status_code == 200}

    assert later(0) == {done, cancelled, running}
    assert len(uploads(tmp_path)) == 4
    assert later(3 * 3600) == {running}
    assert store.job(beside.id).id == beside.id
    assert later(3 * 3600) == {running}
    kept = [path.name for path in uploads(tmp_path)]
    assert kept == [Path(store.job(running.rpartition("/")[2]).spec.sources[0].path).name]
    assert Store(store.url).progress(running.rpartition("/")[2]).share == 0.0


def test_the_file_of_a_cancelled_batch_is_kept_as_long_as_the_batch(
    client: FlaskClient, app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = post(client).headers["Location"]
    client.delete(place)
    now = time.time() + 3 * 3600
    monkeypatch.setattr("api.jobs.spool.time.time", lambda: now)
    desk = Desk(service_of(app).config)
    with pytest.raises(InvalidInput):
        desk.submit(read_batch({"format": "none"}), None, [b"x"])
    assert len(uploads(tmp_path)) == 1
    desk.store.submit(desk.job(place.rpartition("/")[2]).spec)
    work(app)
    assert client.get(place).get_json()["progress"]["records"] == 41
    desk.store.close()


def test_the_file_of_a_job_can_be_read_by_nobody_else(client: FlaskClient, tmp_path: Path) -> None:
    post(client)
    (path,) = uploads(tmp_path)
    assert path.stat().st_mode & 0o077 == 0
