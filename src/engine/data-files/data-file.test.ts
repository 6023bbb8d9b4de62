import { expect, test } from 'bun:test'
import { compareUtf8 } from './data-file.ts'

test('texts are ordered by their UTF-8 bytes', () => {
  const texts = [
    '',
    'a',
    'ab',
    'b',
    'Z',
    'é',
    '\u{1f600}',
    '\uff5e',
    '\uffff',
    '\u{10ffff}',
    'a\u{1f600}',
    'a\uffff',
    '\u0000',
  ]
  for (const a of texts) {
    for (const b of texts) {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }
  }
})
