"""How much an error matters, in one word: every threshold there is."""

from __future__ import annotations

#: Grade -> the least error in points that has it, the worst last.
GRADES: dict[str, float] = {"none": 0.0, "inaccuracy": 0.05, "mistake": 0.15, "blunder": 0.4}

#: A difference of fewer standard errors than this is too close to call.
CLEAR = 2.0


def grade(error: float, *, too_close: bool = False) -> str:
    """The grade of an error in points; what is too close to call has none.

    >>> grade(0.52), grade(0.52, too_close=True)
    ('blunder', 'none')
    """
    if too_close:
        return "none"
    return [name for name, least in GRADES.items() if error >= least][-1]
