"""Bodies as they arrive, from servers that do not guard them."""

from __future__ import annotations

import io

import pytest
from flask import Request

from api.jobs.upload import body_blocks
from solver.errors import InvalidInput


class Endless(io.RawIOBase):
    """A client that never comes to an end."""

    def __init__(self) -> None:
        self.asked = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        self.asked += 1
        return len(buffer)


@pytest.mark.parametrize(("most", "seconds", "code"), [(10**7, 0, "request.too_slow"), (10, 60, "request.too_large")])
def test_of_a_body_without_end_no_more_is_read_than_it_takes_to_see(most: int, seconds: int, code: str) -> None:
    client = Endless()
    request = Request({"wsgi.input": client, "wsgi.input_terminated": True, "REQUEST_METHOD": "POST"})
    with pytest.raises(InvalidInput) as error:
        list(body_blocks(request, most, seconds))
    assert [fault.code for fault in error.value.faults] == [code]
    assert client.asked <= 2
