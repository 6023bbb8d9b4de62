import { expect, test } from 'bun:test'
import { errorLine } from './error-line.ts'

const lines = (...texts: readonly string[]): string => texts.join('\n')
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
    lines(
      `${header}`,
      `${frame(3)}`,
      `pydantic_core._pydantic_core.ValidationError: 1 validation error for User`,
      `age`,
      `  Input should be a valid integer [type=int_parsing]`,
      `    For further information visit https://errors.pydantic.dev/2.12/v/int_parsing`,
    ),
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
    lines(
      `${header}`,
      `${frame(1)}`,
      `KeyError: 'id'`,
      ``,
      `During handling of the above exception, another exception occurred:`,
      ``,
      `${header}`,
      `${frame(9)}`,
      `RuntimeError: lookup failed`,
    ),
    'RuntimeError: lookup failed',
  ],
  [
    'Python, chained by `raise … from`',
    lines(
      `${header}`,
      `${frame(1)}`,
      `ConnectionError: refused`,
      ``,
      `The above exception was the direct cause of the following exception:`,
      ``,
      `${header}`,
      `${frame(9)}`,
      `service.Unavailable: search is down`,
    ),
    'service.Unavailable: search is down',
  ],
  [
    'Python, a syntax error',
    lines(
      `${header}`,
      `  File "<stdin>", line 1, in <module>`,
      `  File "/app/x.py", line 2`,
      `    print 'hello'`,
      `    ^^^^^^^^^^^^^`,
      `SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?`,
    ),
    "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
  ],
  [
    'Python, a group of exceptions',
    lines(
      `  + Exception Group Traceback (most recent call last):`,
      `  |   File "/app/x.py", line 2, in <module>`,
      `  |     raise ExceptionGroup("tools failed", errors)`,
      `  | ExceptionGroup: tools failed (2 sub-exceptions)`,
      `  +-+---------------- 1 ----------------`,
      `    | Traceback (most recent call last):`,
      `    |   File "/app/x.py", line 9, in run`,
      `    |     raise ValueError(1)`,
      `    | ValueError: 1`,
      `    +---------------- 2 ----------------`,
      `    | TypeError: int`,
      `    +------------------------------------`,
    ),
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
    lines(
      `${header}`,
      `${frame(3)}`,
      `  [Previous line repeated 996 more times]`,
      `RecursionError: maximum recursion depth exceeded`,
    ),
    'RecursionError: maximum recursion depth exceeded',
  ],
  [
    'V8',
    lines(
      "TypeError: Cannot read properties of undefined (reading 'id')",
      '    at answer (/app/index.js:3:9)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    ),
    "TypeError: Cannot read properties of undefined (reading 'id')",
  ],
  [
    'V8, a cause',
    lines(
      'Error: search failed',
      '    at search (/app/index.js:3:9) {',
      '  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9200',
      '      at TCPConnectWrap.afterConnect (node:net:1637:16) {',
      '    errno: -111',
      '  }',
      '}',
    ),
    'Error: search failed',
  ],
  [
    'V8, a message of several lines',
    'Error: the schema is wrong\n- `age` is missing\n    at check (file:///app/index.mjs:3:9)',
    'Error: the schema is wrong',
  ],
  [
    'Node.js, uncaught',
    lines(
      'file:///app/index.mjs:3',
      '    throw new RangeError("too long")',
      '          ^',
      '',
      'RangeError: too long',
      '    at answer (file:///app/index.mjs:3:11)',
      '',
      'Node.js v24.1.0',
    ),
    'RangeError: too long',
  ],
  ['a browser', 'Uncaught (in promise) TypeError: Failed to fetch', 'TypeError: Failed to fetch'],
  [
    'Java',
    lines(
      'Exception in thread "main" java.lang.IllegalStateException: not open',
      '\tat app.Main.answer(Main.java:14)',
      '\tat app.Main.main(Main.java:5)',
      'Caused by: java.io.IOException: closed',
      '\t... 2 more',
    ),
    'java.lang.IllegalStateException: not open',
  ],
  [
    'Java, logged',
    'java.lang.NullPointerException: null\n\tat app.Main.main(Main.java:5)',
    'java.lang.NullPointerException: null',
  ],
  [
    'Go',
    lines(
      'panic: runtime error: index out of range [3] with length 3',
      '',
      'goroutine 1 [running]:',
      'main.main()',
      '\t/app/main.go:8 +0x1d',
      'exit status 2',
    ),
    'panic: runtime error: index out of range [3] with length 3',
  ],
  [
    'Rust',
    lines(
      "thread 'main' panicked at src/main.rs:2:5:",
      'no such user',
      'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
    ),
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
  const frames = '  File "/app/main.py", line 3, in answer\n    return 1\n'.repeat(100_000)
  const error = `${header}\n${frames}ValueError: last`
  expect(errorLine(error, 300)).toBe('ValueError: last')
  expect(errorLine(`${'\n'.repeat(1e6)}Error: x`, 300)).toBe('Error: x')
})
