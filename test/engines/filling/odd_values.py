"""Values that readers of Parquet and Delta logs are known to disagree on."""

PROJECT = "engines/readers"

TEXTS = [
    "",
    "plain",
    "tab\tnewline\nreturn\rend",
    "quotes ' \" ` and \\ backslash",
    "Zoë 東京 \U0001f600 עברית",
    "null",
    "x" * 40_000,
]

# Microseconds, both sides of 1970, beyond what nanoseconds of 64 bits hold (2262), and nearly the
# whole range of ClickHouse's DateTime64 (1900 to 2299).
TIMES = [
    "2026-03-01T10:00:00Z",
    "2026-03-01T10:00:00.000001Z",
    "2026-03-01T10:00:00.999999Z",
    "1970-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z",
    "1905-06-15T12:30:45.123456Z",
    "2261-01-01T00:00:00.654321Z",
    "2299-06-30T23:59:59.999999Z",
    "2026-03-29T02:30:00+01:00",
]

# Those that a time of INT96 can say, which most readers take for nanoseconds of 64 bits.
NEAR_TIMES = [time for time in TIMES if not time.startswith("2299")]

INTEGERS = [0, 1, 7, 2**31, 2**32 + 1, 2**52, 2**53 - 1]

NUMBERS = [0.0, 0.1, 1 / 3, 1e-12, 123456789.125, 5e-324, 1.7976931348623157e308]
