from typing import Any

__pyx_capi__: dict[str, Any]  # what other compiled modules take from this one

class EndingTable:
    def __init__(self, *args: object, **kwargs: object) -> None: ...

def ending_table() -> EndingTable: ...
