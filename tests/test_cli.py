"""The command line as a user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from solver.analysis.analyze import analyze
from solver.cli import main
from solver.game.rules import PRESETS
from solver.logs import FORMATS
from solver.notation.answers import AnalysisAnswer
from solver.notation.deal_code import read_code

CODE = "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.po.9C.9D"
EGN = Path(__file__).parent / "data" / "egn"


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


def test_analyze_draws_the_table_with_a_value_on_each_card_that_may_be_played() -> None:
    result = run("analyze", CODE)
    assert result.exit_code == 0
    assert "S  maker, to act" in result.output
    assert "♦ A:" in result.output
    assert "On the table: E 9D" in result.output
    assert f"Code: {CODE}" in result.output


@pytest.mark.parametrize("decision", ["", ".po", ".po.9C", ".pppppppp"])
def test_analyze_draws_every_kind_of_decision(decision: str) -> None:
    deal = ".".join(CODE.split(".")[:4])
    result = run("analyze", deal + decision)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("name", PRESETS)
def test_analyze_draws_every_preset(name: str) -> None:
    hands = "9CTCQCKCAS-AD9HTHQHKH" if name == "two_handed" else CODE.split(".")[3]
    assert "to bid" in run("analyze", f"{name}.N.JH.{hands}").output


def test_json_is_what_the_service_answers() -> None:
    result = run("analyze", "--json", CODE)
    assert json.loads(result.output) == AnalysisAnswer().dump(analyze(read_code(CODE)))


def test_a_deal_comes_from_a_file_or_standard_input_as_code_or_document(tmp_path: Path) -> None:
    expected = run("analyze", CODE).output
    document = json.dumps({"code": CODE})
    for text in (CODE, document):
        path = tmp_path / "deal.txt"
        path.write_text(text)
        assert run("analyze", str(path)).output == expected
        assert run("analyze", "-", stdin=text).output == expected


@pytest.mark.parametrize("name", ["deal", "deal.txt"])
def test_a_file_needs_no_dot_in_its_name_and_may_begin_with_a_byte_order_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in (CODE, json.dumps({"code": CODE})):
        Path(name).write_text(text, encoding="utf-8-sig")
        assert run("analyze", name).output == run("analyze", CODE).output


def test_a_code_too_long_to_be_the_name_of_a_file_is_still_a_code() -> None:
    options = "".join(
        f"~{name}-7" for name in ("points", "march", "lone_points", "lone_march", "euchre", "lone_euchre")
    )
    flags = "~stuck_dealer_may_name_turned_down-yes~dealer_may_decline_upcard-yes~natural_trump_to_order-yes"
    code = CODE.replace("american", f"cardporch{options}{flags}~defended_alone_euchre-7~lone_lead-maker_left~target-11")
    assert len(code) > 255
    assert run("analyze", code).exit_code == 0


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "deal").write_bytes(b"american.\xff\xfe")
    result = run("analyze", str(tmp_path / "deal"))
    assert result.exit_code == 1
    assert "file.unreadable" in result.stderr


def test_a_bad_deal_is_named_fault_by_fault_and_exits_with_1() -> None:
    result = run("analyze", CODE.replace("9STSJSQSKS", "9STSJSQS9D").replace(".po.", ".pc."))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "card.duplicate" in result.stderr and "bid.illegal" in result.stderr


@pytest.mark.parametrize("text", ["{", "", '{"dealer": "N", "dealer": "E"}', "no/such/file.json"])
def test_what_is_no_deal_is_refused(text: str) -> None:
    result = run("analyze", "-", stdin=text)
    assert result.exit_code == 1
    assert result.stderr


def test_wrong_usage_exits_with_2() -> None:
    assert run("analyze").exit_code == 2
    assert run("trace", "no/such/file.egn").exit_code == 2


def test_trace_tells_deal_by_deal_what_was_played_and_what_was_lost() -> None:
    result = run("trace", str(EGN / "game02.egn"))
    assert result.exit_code == 0
    assert result.output.count("double dummy") == 9
    assert "lost 1 trick" in result.output


def test_trace_names_bad_deals_does_the_others_and_exits_with_1() -> None:
    result = run("trace", str(EGN / "game14.egn"), str(EGN / "game05.egn"))
    assert result.exit_code == 1
    assert "game14.egn: deal 1" in result.stderr
    assert result.stdout.count("double dummy") == 2
    assert result.stdout.count("no double-dummy trace") == 2
    assert "played        tricks NS 2 EW 3; points EW +2" in result.stdout


def test_a_deal_that_was_not_played_out_is_no_fault() -> None:
    result = run("trace", str(EGN / "game27.egn"))
    assert "not complete, 4 cards" in result.stdout
    assert "deal 1" not in result.stderr


def test_a_deal_that_ends_before_the_discard_has_no_trace_and_does_not_stop_the_others(tmp_path: Path) -> None:
    game = json.loads((EGN / "game02.egn").read_text())
    deal = {
        "initialState": {
            "dealer": 0,
            "upCard": "Jh",
            "player_cards": [
                hand.split() for hand in ("9c Tc Qc Kc As", "9d Td Jd Qd Ah", "9h Th Qh Kh Ad", "9s Ts Js Qs Ks")
            ],
        },
        "phases": [{"type": "EUCHRE_BIDDING", "calls": ["Order"], "isAlone": False}],
    }
    path = tmp_path / "short.egn"
    path.write_text(json.dumps({**game, "deals": [deal, game["deals"][0]]}))
    result = run("trace", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.count("no double-dummy trace") == 1
    assert result.stdout.count("  double dummy") == 1


def test_a_record_that_contradicts_itself_is_traced_and_named(tmp_path: Path) -> None:
    game = json.loads((EGN / "game02.egn").read_text())
    game["deals"][0]["phases"][1]["initialLead"] = 3
    path = tmp_path / "lead.egn"
    path.write_text(json.dumps(game))
    result = run("trace", str(path))
    assert result.exit_code == 1
    assert "log.inconsistent" in result.stderr
    assert result.stdout.count("  double dummy") == 9


def test_trace_as_json_is_one_object_a_deal() -> None:
    result = run("trace", "--json", str(EGN / "game05.egn"))
    rows = [json.loads(line) for line in result.output.splitlines()]
    assert [row["deal"] for row in rows] == [1, 2]
    assert len(rows[1]["cards"]) == 20


@pytest.mark.parametrize("calls", [[], ["Pass", "Order"]])
def test_a_deal_that_ends_before_the_play_is_no_fault(tmp_path: Path, calls: list[str]) -> None:
    hands = [["9c", "Tc", "Qc", "Kc", "As"], ["9d", "Td", "Jd", "Qd", "Ah"]]
    hands += [["Ad", "9h", "Th", "Qh", "Kh"], ["9s", "Ts", "Js", "Qs", "Ks"]]
    deal = {
        "initialState": {"dealer": 0, "upCard": "Jh", "player_cards": hands},
        "phases": [{"type": "EUCHRE_BIDDING", "calls": calls}],
    }
    path = tmp_path / "short.egn"
    path.write_text(json.dumps({"fileType": "Euchre Game Notation", "version": "1.0", "deals": [deal]}))
    result = run("trace", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "deal 1: dealer N; upcard JH" in result.stdout


def test_rules_lists_every_preset_and_option() -> None:
    result = run("rules")
    for name in (*PRESETS, *PRESETS["american"].options()):
        assert name in result.output
    assert json.loads(run("rules", "--json").output)["default"] == "american"


def test_formats_lists_what_is_read() -> None:
    assert "egn" in run("formats").output
    names = [each["name"] for each in json.loads(run("formats", "--json").output)["formats"]]
    assert names == [each.name for each in FORMATS]


def test_a_deal_code_longer_than_any_file_name_is_read() -> None:
    """As answers carry them when many options differ from every preset."""
    options = "~going_alone-never~lone_lead-maker_left~natural_trump_to_order-yes~points-2~march-3~lone_march-5"
    options += "~lone_points-2~euchre-3~lone_euchre-3~defended_alone_euchre-5~target-15~dealers_partner-may_not_order"
    code = CODE.replace("american", "american" + options).partition(".po.")[0] + ".ppppc"
    assert len(code) > 255
    assert run("analyze", code).exit_code == 0


@pytest.mark.parametrize("name", ["deal", "deal.txt"])
def test_a_file_is_read_whatever_its_name_and_its_byte_order_mark(tmp_path: Path, name: str) -> None:
    for text in (CODE, json.dumps({"code": CODE})):
        (tmp_path / name).write_text("\ufeff" + text, encoding="utf-8")
        assert run("analyze", str(tmp_path / name)).exit_code == 0
        assert run("analyze", "-", stdin="\ufeff" + text).exit_code == 0


def test_a_file_that_is_no_text_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    path.write_bytes(b"american\xff")
    for result in (run("analyze", str(path)), run("analyze", "-", stdin=path.read_bytes())):
        assert result.exit_code == 1
        assert "is not UTF-8: byte 8 [file.unreadable]" in result.stderr


def test_what_is_neither_file_nor_code_is_called_neither() -> None:
    result = run("analyze", "no/such/file.json")
    assert result.exit_code == 1
    assert "there is no such file, and as a deal code: " in result.stderr


def test_a_list_is_read_as_a_document() -> None:
    assert "an object belongs here" in run("analyze", "-", stdin="[1]").stderr


def test_a_file_that_fails_while_it_is_read_is_named_and_the_others_done(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def broken(path: Path, *arguments: str) -> object:
        if path.name == "game04.egn":
            raise OSError(5, "Input/output error")
        return real(path, *arguments)

    monkeypatch.setattr(Path, "open", broken)
    result = run("trace", str(EGN / "game04.egn"), str(EGN / "game02.egn"))
    assert result.exit_code == 1
    assert "game04.egn: it cannot be read: Input/output error [file.unreadable]" in result.stderr
    assert result.stdout.count("double dummy") == 9


def test_output_that_cannot_be_written_is_an_error_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solver.cli.draw_analysis", full)
    result = run("analyze", CODE)
    assert result.exit_code == 1
    assert result.stderr == "Error: No space left on device\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_trace_reads_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.egn"
    os.mkfifo(pipe)
    content = (EGN / "game02.egn").read_bytes()
    writer = threading.Thread(target=lambda: pipe.write_bytes(content), daemon=True)
    writer.start()
    command = [sys.executable, "-c", "from solver.cli import main; main()", "trace", str(pipe)]
    done = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"double dummy") == 9


def test_serve_refuses_settings_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGHTBOWER_MAX_FAULTS", "x")
    monkeypatch.setenv("RIGHTBOWER_LOG_LEVEL", "loud")
    result = run("serve", "--port", "0")
    assert result.exit_code == 2
    assert "RIGHTBOWER_MAX_FAULTS takes a whole number from 1 to 100000, not 'x'; RIGHTBOWER_LOG_LEVEL" in result.stderr


def test_serve_names_the_variable_that_its_server_cannot_read() -> None:
    command = [sys.executable, "-c", "from solver.cli import main; main()", "serve", "--port", "0"]
    environ = {**os.environ, "WEB_CONCURRENCY": "many"}
    done = subprocess.run(command, env=environ, capture_output=True, timeout=30, check=False)
    assert done.returncode == 2
    assert b"WEB_CONCURRENCY" in done.stderr and b"Traceback" not in done.stderr


def test_rate_prints_every_bid_and_a_verdict() -> None:
    result = run("rate", "american.N.9H.-JHAHKH9SAD--", "--bid", "pass", "--worlds", "200", "--score", "6:4")
    assert result.exit_code == 0
    assert "E to bid, holding AD JH KH AH 9S" in result.output
    assert "score 6:4" in result.output
    assert "Best: order" in result.output
    assert "Verdict: pass loses" in result.output


def test_rate_says_of_the_best_bid_that_it_is() -> None:
    code, few = "american.N.9H.-JHAHKH9SAD--", ("--worlds", "200", "--method", "double-dummy")
    assert "Verdict: order is the best bid" in run("rate", code, "--bid", "hearts", *few).output


def test_rate_prints_what_http_would_answer() -> None:
    result = run("rate", "american.N.JS.JCQCJHAH9D---.ppp", "--worlds", "400", "--method", "double-dummy", "--json")
    answer = json.loads(result.output)
    assert [option["bid"] for option in answer["options"]] == ["pass", "order", "order alone"]
    assert answer["discard"] == "9D"
    assert answer["settings"]["method"] == "double-dummy"


def test_rate_names_every_fault() -> None:
    result = run("rate", '{"dealer": "N", "upcard": "9H", "seat": "S", "hand": "9H"}', "--bid", "clubs")
    assert result.exit_code == 1
    assert {line.split(":")[0] for line in result.stderr.splitlines()} == {"hand.0", "hand", "seat", "bid"}


@pytest.mark.parametrize(
    "source",
    [
        "two_handed.N.9H.-JHAHKH9SAD",
        "american~seats-2~going_alone-never.N.9H.-JHAHKH9SAD",
        '{"rules": {"preset": "two_handed"}, "dealer": "N", "upcard": "9H", "seat": "S", "hand": "JH AH KH 9S AD"}',
    ],
)
def test_a_score_is_that_of_the_sides_that_play(source: str) -> None:
    result = run("rate", source, "--score", "3:4", "--worlds", "4", "--method", "double-dummy", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["settings"]["score"] == {"N": 3, "S": 4}


@pytest.mark.parametrize(
    ("option", "status"), [("--worlds", 1), ("--score", 2), ("--seed", 2)], ids=["worlds", "score", "seed"]
)
@pytest.mark.parametrize("command", ["rate", "analyze"])
def test_a_number_too_long_to_be_read_is_refused(command: str, option: str, status: int) -> None:
    number = "9" * 5000
    result = run(command, "american.N.9H.-JHAHKH9SAD--", option, f"{number}:1" if option == "--score" else number)
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == status
    assert option.strip("-") in result.stderr
