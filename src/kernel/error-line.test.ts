import { expect, test } from 'bun:test'
import { errorLine } from './error-line.ts'

const header = 'Traceback (most recent call last):'
const frame = (line: number) =>
  `  File "/app/main.py", line ${line}, in answer\n    return call(question)\n           ^^^^^^^^^^^^^^`

/** What errors are recorded as, and the line that stands for each. */
const errors: readonly (readonly [name: string, error: string, line: string])[] = [
  ['a plain text', 'rate limited', 'rate limited'],
  ['a type and a message', 'ValueError: no such user', 'ValueError: no such user'],
  ['a text of several lines', '\n\nThe tool failed.\nTry again.', 'The tool failed.'],
  ['Python', `${header}\n${frame(3)}\nValueError: no such user\n`, 'ValueError: no such user'],
  [
    'Python, a qualified type',
    `${header}\n${frame(3)}\nopenai.RateLimitError: Error code: 429 - {'error': 1}`,
    "openai.RateLimitError: Error code: 429 - {'error': 1}",
  ],
  ['Python, a type alone', `${header}\n${frame(3)}\nKeyboardInterrupt\n`, 'KeyboardInterrupt'],
  [
    'Python, a message of several lines',
    `${header}\n${frame(3)}\npydantic_core._pydantic_core.ValidationError: 1 validation error for User\nage\n  Input should be a valid integer [type=int_parsing]\n    For further information visit https://errors.pydantic.dev/2.12/v/int_parsing`,
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for User',
  ],
  [
    'Python, a message in the next line',
    `${header}\n${frame(3)}\nValueError: \nno such user`,
    'ValueError: no such user',
  ],
  [
    'Python, notes',
    `${header}\n${frame(3)}\nTypeError: bad type\nAdd some information\nAnd more`,
    'TypeError: bad type',
  ],
  [
    'Python, chained by another error',
    `${header}\n${frame(1)}\nKeyError: 'id'\n\nDuring handling of the above exception, another exception occurred:\n\n${header}\n${frame(9)}\nRuntimeError: lookup failed`,
    'RuntimeError: lookup failed',
  ],
  [
    'Python, chained by `raise … from`',
    `${header}\n${frame(1)}\nConnectionError: refused\n\nThe above exception was the direct cause of the following exception:\n\n${header}\n${frame(9)}\nservice.Unavailable: search is down`,
    'service.Unavailable: search is down',
  ],
  [
    'Python, a syntax error',
    `${header}\n  File "<stdin>", line 1, in <module>\n  File "/app/x.py", line 2\n    print 'hello'\n    ^^^^^^^^^^^^^\nSyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?`,
    "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
  ],
  [
    'Python, a group of exceptions',
    `  + Exception Group Traceback (most recent call last):\n  |   File "/app/x.py", line 2, in <module>\n  |     raise ExceptionGroup("tools failed", errors)\n  | ExceptionGroup: tools failed (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "/app/x.py", line 9, in run\n    |     raise ValueError(1)\n    | ValueError: 1\n    +---------------- 2 ----------------\n    | TypeError: int\n    +------------------------------------`,
    'ExceptionGroup: tools failed (2 sub-exceptions)',
  ],
  [
    'Python, cut at its end',
    `${header}\n  File "/app/main.py", line 3, in answer`,
    'File "/app/main.py", line 3, in answer',
  ],
  [
    'Python, Windows line ends',
    `${header}\r\n  File "C:\\app.py", line 1\r\n    f()\r\nOSError: [WinError 2]\r\n`,
    'OSError: [WinError 2]',
  ],
  [
    'Python after the type and the message (OpenTelemetry)',
    `ValueError: no such user\n${header}\n${frame(3)}\nValueError: no such user`,
    'ValueError: no such user',
  ],
  [
    'Python, repeated frames',
    `${header}\n${frame(3)}\n  [Previous line repeated 996 more times]\nRecursionError: maximum recursion depth exceeded`,
    'RecursionError: maximum recursion depth exceeded',
  ],
  [
    'V8',
    "TypeError: Cannot read properties of undefined (reading 'id')\n    at answer (/app/index.js:3:9)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "TypeError: Cannot read properties of undefined (reading 'id')",
  ],
  [
    'V8, a cause',
    'Error: search failed\n    at search (/app/index.js:3:9) {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9200\n      at TCPConnectWrap.afterConnect (node:net:1637:16) {\n    errno: -111\n  }\n}',
    'Error: search failed',
  ],
  [
    'V8, a message of several lines',
    'Error: the schema is wrong\n- `age` is missing\n    at check (file:///app/index.mjs:3:9)',
    'Error: the schema is wrong',
  ],
  [
    'Node.js, uncaught',
    'file:///app/index.mjs:3\n    throw new RangeError("too long")\n          ^\n\nRangeError: too long\n    at answer (file:///app/index.mjs:3:11)\n\nNode.js v24.1.0',
    'RangeError: too long',
  ],
  ['a browser', 'Uncaught (in promise) TypeError: Failed to fetch', 'TypeError: Failed to fetch'],
  [
    'Java',
    'Exception in thread "main" java.lang.IllegalStateException: not open\n\tat app.Main.answer(Main.java:14)\n\tat app.Main.main(Main.java:5)\nCaused by: java.io.IOException: closed\n\t... 2 more',
    'java.lang.IllegalStateException: not open',
  ],
  [
    'Java, logged',
    'java.lang.NullPointerException: null\n\tat app.Main.main(Main.java:5)',
    'java.lang.NullPointerException: null',
  ],
  [
    'Go',
    'panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:8 +0x1d\nexit status 2',
    'panic: runtime error: index out of range [3] with length 3',
  ],
  [
    'Rust',
    "thread 'main' panicked at src/main.rs:2:5:\nno such user\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    'panic: no such user',
  ],
  ['Rust before 1.73', "thread 'main' panicked at 'no such user', src/main.rs:2:5", 'panic: no such user'],
  [
    '.NET',
    'Unhandled exception. System.InvalidOperationException: not open\n   at App.Main() in /app/Main.cs:line 9',
    'System.InvalidOperationException: not open',
  ],
  ['JSON', '{"error": {"message": "no such model"}}', '{"error": {"message": "no such model"}}'],
  ['white space', 'too\t  many   spaces', 'too many spaces'],
  ['blank', ' \n ', ''],
]

test.each(errors)('the line of an error: %s', (_, error, line) => {
  expect(errorLine(error, 300)).toBe(line)
})

test('a long line is cut between characters', () => {
  expect(errorLine('x'.repeat(400), 300)).toBe(`${'x'.repeat(299)}…`)
  expect(errorLine(`${'x'.repeat(298)}😀😀`, 300)).toBe(`${'x'.repeat(298)}…`)
})

test('very long texts are read at both ends, in no time', () => {
  const error = `${header}\n${'  File "/app/main.py", line 3, in answer\n    return 1\n'.repeat(100_000)}ValueError: last`
  expect(errorLine(error, 300)).toBe('ValueError: last')
  expect(errorLine(`${'\n'.repeat(1e6)}Error: x`, 300)).toBe('Error: x')
})
