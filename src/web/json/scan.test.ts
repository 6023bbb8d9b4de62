import { expect, test } from 'bun:test'
import { memberText } from './scan.ts'

test.each([
  ['{"a": {"b": 1.50}}', ['a', 'b'], '1.50'],
  ['{"a": 12345678901234567890, "c": 1}', ['a'], '12345678901234567890'],
  [' { "a" : [1, {"b": "}"}] , "c" : 2 } ', ['a'], '[1, {"b": "}"}]'],
  ['{"a": 1, "a": 2}', ['a'], '2'],
  ['{"\\u0061": 3}', ['a'], '3'],
  ['{"a": {}}', [], '{"a": {}}'],
  ['{"a": {}}', ['b'], undefined],
  ['{"a": [1]}', ['a', '0'], undefined],
  ['"a"', ['a'], undefined],
])('of %s at %j: %j', (text, path, expected) => expect(memberText(text, path)).toBe(expected as string))
