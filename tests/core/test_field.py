"""Numbers of a table, all digits at once and four numbers at once: Python's float() to the last bit, whatever their form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt._core as _core

FILLER = 40 * "0"  # a number so long that whatever follows has as many bytes before it as the quick reader looks at


def parsed(text: str, columns: int, *, delimiter: str = ",", threads: int = 1):
    """Return the values, or None; the bytes lie in an array of just their size, with nothing behind them to read."""
    data = np.array(list(text.encode()), dtype=np.uint8)
    found = _core.parse_delimited(data, delimiter=delimiter, fields=[0] * columns, threads=threads)
    return None if found is None else found["values"]


def expected(cell: str) -> float:
    return float(cell) if cell.strip() else np.nan


def equal(values, cells) -> bool:
    """Whether every bit is the same; all NaN are one."""
    wanted = np.array([[expected(cell) for cell in row] for row in cells])
    gaps = np.isnan(wanted)
    return np.array_equal(gaps, np.isnan(values)) and np.array_equal(
        values[~gaps].view(np.int64), wanted[~gaps].view(np.int64)
    )


def test_every_sign_number_of_digits_and_place_of_the_point_is_read_as_python_does():
    rng = np.random.default_rng(0)
    cells = []
    for n in range(1, 35):
        for point in (None, *range(n + 1)):
            digits = "".join(rng.choice(list("0123456789"), n))
            number = digits if point is None else f"{digits[:point]}.{digits[point:]}"
            long = [number, f"-{number}", f"0.{number.replace('.', '')}", number.replace("0", "9")]
            cells.append(
                [*long, *(f"{cell}e{exponent:+03}" for cell, exponent in zip(long, (5, -7, 22, -27), strict=True))]
            )
    text = "".join(",".join(row) + "\n" for row in cells)
    assert equal(parsed(text, 8), cells)
    assert equal(parsed(text.replace("\n", "\r\n").rstrip(), 8, threads=2), cells)


digits = st.text("0123456789", max_size=24)
number = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    digits.map(lambda text: text or "0"),
    st.sampled_from(["", "."]),
    digits,
    st.sampled_from(["", "", "", "e5", "E-7", "e+30", "e-300", "e+05", "E-05", "e+22", "e-27"]),
)
cell = st.one_of(
    number,
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(lambda x: str(np.float32(x))),
    st.integers(-(10**20), 10**20).map(str),
    st.floats(-1e6, 1e6).map("{:.6f}".format),
    number.map(" {} ".format),
    st.just(""),
)
short = st.one_of(st.decimals(-1000, 1000, places=7).map("{:f}".format), st.integers(-(10**16), 10**16).map(str), cell)


@pytest.mark.property
@given(
    st.lists(st.tuples(*[cell] * 3, *[short] * 6), min_size=1, max_size=20),
    st.sampled_from([",", ";", "|", "\t"]),
    st.sampled_from(["\n", "\r\n", "\n\n", " \n"]),
    st.booleans(),
)
def test_a_table_is_read_bit_for_bit_as_python_does(rows, delimiter, end, ended):
    text = end.join(delimiter.join(row) for row in rows) + end * ended
    assert equal(parsed(text, 9, delimiter=delimiter), rows)


@pytest.mark.parametrize(
    "number",
    [
        "30928156368.49335289",
        "13.22859171361119035",
        "383.2121433359285163",
        "81.72435036781148909",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992.9",
    ],
)
def test_a_decimal_whose_first_rounding_is_the_middle_of_two_doubles_is_rounded_once(number):
    assert equal(parsed(f"{FILLER}\n{number}\n-{number}\n", 1), [[FILLER], [number], [f"-{number}"]])


@pytest.mark.parametrize(
    "cell",
    ["-", ".", "-.", "--1", "1-", "+-1", "1.2.3", "..5", "1e", "e5", "1x", "x1", "1 2", "1:2", "1/2", "1;2", "-x",
     "1_0", "nan", "12345678901234567890.5.5", "1234567890123456x", "x1234567890123456789", "1\0", "1\x7f", "é",
     "-e+05", ".e-05", "1e*05", "1e+x5", "1e-5x", "1.5.5e+05", "12345678901234567.x8e+05", "e+05"],
)  # fmt: skip
def test_what_is_no_number_is_refused_wherever_it_stands(cell):
    first = ",".join([FILLER] * 6)
    for place in range(6):
        line = ",".join(cell if place == k else "0.25" for k in range(6))
        for text in (f"{line}\n", line, f"{first}\n{line}\n", f"{first}\n{line}", f"{first}\n{line}\n{first}\n"):
            assert parsed(text, 6) is None


@pytest.mark.parametrize(
    "text", ["1,2", "1,", ",\n", "1, ", " 1 , 2 ", f"{FILLER},", f"{FILLER},1\n2,", f"{FILLER},1\n2,-"]
)
def test_a_text_may_end_anywhere(text):
    cells = [line.split(",") for line in text.split("\n") if line]
    if text.endswith("-"):
        assert parsed(text, 2) is None
    else:
        assert equal(parsed(text, 2), cells)


@pytest.mark.parametrize("delimiter", list("-+ \t:x"))
def test_what_may_stand_in_a_number_may_delimit_too(delimiter):
    text = f"{FILLER}{delimiter}{FILLER}{delimiter}1\n7{delimiter}{delimiter}3\n"
    assert equal(parsed(text, 3, delimiter=delimiter), [[FILLER, FILLER, "1"], ["7", "", "3"]])


def test_lines_longer_and_shorter_than_what_is_looked_at_at_once_are_read():
    for columns in (1, 2, 63, 64, 65, 3000):
        rows = [[f"{i}.{j}" for j in range(columns)] for i in range(9)]
        assert equal(parsed("".join(",".join(row) + "\n" for row in rows), columns), rows)
        assert parsed("".join(",".join(row) + "\n" for row in rows) + "1" + columns * ",1", columns) is None
