"""What `strict_json.loads` reads, and what it refuses."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.notation.strict_json import MAX_CONTAINERS, MAX_DEPTH, MAX_DIGITS, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


def refusal(source: str | bytes) -> str:
    with pytest.raises(InvalidInput) as caught:
        loads(source)
    (fault,) = caught.value.faults
    assert fault.code == "json.invalid"
    fault.message.encode("utf-8")
    return fault.message


@given(VALUES, st.booleans())
def test_what_json_writes_is_read_as_it_was(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert loads(text) == value
    assert loads(text.encode()) == value
    assert loads("\ufeff" + text) == loads(b"\xef\xbb\xbf" + text.encode()) == value


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(source: str | bytes) -> None:
    try:
        value = loads(source)
    except InvalidInput:
        refusal(source)
        return
    json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize("text", ["", " ", "{", "[1,]", "{'a': 1}", "[1] x", '"a\nb"', "nul", "01", "\ufeff\ufeff1"])
def test_what_is_not_json_is_refused_with_its_place(text: str) -> None:
    assert "line" in refusal(text) and "column" in refusal(text)


def test_a_key_twice_is_refused_by_name_at_any_depth() -> None:
    assert "'upCard'" in refusal('{"deals": [{"upCard": "Th", "upCard": "9h"}]}')
    long = '"' + "k" * 5000 + '": 1'
    assert len(refusal("{" + long + "," + long + "}")) < 100


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "[-1E400]"])
def test_numbers_that_json_does_not_have_are_refused(text: str) -> None:
    refusal(text)


def test_whole_numbers_have_a_limit() -> None:
    assert loads("-" + "9" * MAX_DIGITS) == -(10**MAX_DIGITS - 1)
    refusal("1" * (MAX_DIGITS + 1))
    refusal("[" + "1" * 100_000 + "]")
    assert math.isclose(float(str(loads("1" * 50 + ".5"))), 1.1111111111111111e49)


@pytest.mark.parametrize("each", ["[]", "{}", '{"a":[]}'])
def test_there_are_so_many_arrays_and_objects_and_no_more(each: str) -> None:
    number = (MAX_CONTAINERS - 1) // (each.count("[") + each.count("{"))
    loads(f"[{','.join([each] * number)}]")
    assert "more than" in refusal(f"[{','.join([each] * (number + 1))}]")


@pytest.mark.parametrize("text", ["[" * MAX_CONTAINERS, '\\"{' * MAX_CONTAINERS, "\\\\" * 9 + "[" * MAX_CONTAINERS])
def test_brackets_in_a_string_are_not_arrays(text: str) -> None:
    assert loads(f'["{text}"]') == [json.loads(f'"{text}"')]


def test_strings_without_an_end_are_looked_at_once() -> None:
    assert "more than" in refusal("[" * (MAX_CONTAINERS + 1) + '"' + '\\"' * 1_000_000)


@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}")])
def test_nesting_has_a_limit(start: str, end: str) -> None:
    loads(start * MAX_DEPTH + "0" + end * MAX_DEPTH)
    assert "deeper" in refusal(start * (MAX_DEPTH + 1) + "0" + end * (MAX_DEPTH + 1))
    assert "deeper" in refusal(start * 100_000 + "0" + end * 100_000)
    refusal(start * 100_000)


def test_wide_is_not_deep() -> None:
    assert loads("[" + ",".join(["[]"] * 1000) + "]") == [[]] * 1000


@pytest.mark.parametrize(
    "text", [r'"\ud800"', r'["a\uDFFFb"]', r'{"\udc00": 1}', '"\ud800"', r'{"a": {"b": ["\ud83d"]}}']
)
def test_half_a_surrogate_pair_is_refused(text: str) -> None:
    refusal(text)


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert loads(r'"\ud83c\udca1"') == "\U0001f0a1"


@pytest.mark.parametrize(
    "source", ['["J♥"]'.encode("utf-16"), "[1]".encode("utf-16-le"), b'"\xff"', '"é"'.encode("latin-1")]
)
def test_other_encodings_are_refused(source: bytes) -> None:
    refusal(source)
