import { expect, test } from 'bun:test'
import { parseExactly } from '../formats/wire/exact-json.ts'
import { parseJsonExactly } from '../formats/wire/json-body.ts'
import { digestOfJson, isDigestOfJson } from './digest.ts'
import { pythonJson, pythonJsonInOrder } from './python-json.ts'
import vectors from './python-json.vectors.json'

/**
 * Results of Python 3 from `scripts/from-python/digest-vectors.py`: text →
 * json.dumps(json.loads(text)) with and without sorted keys → digests.
 */
test.each(vectors)('matches Python for $text', ({ text, python, digest, inOrder, digestInOrder }) => {
  expect(pythonJson(parseExactly(text))).toBe(python)
  expect(digestOfJson(parseExactly(text))).toBe(digest)
  expect(pythonJsonInOrder(parseExactly(text))).toBe(inOrder)
  expect([digest, digestInOrder, 'other'].map((stored) => isDigestOfJson(stored, parseExactly(text)))).toEqual([
    true,
    true,
    false,
  ])
  const { val } = parseJsonExactly(`{"val":${text}}`, 200) as { val: unknown }
  expect(pythonJson(val)).toBe(python)
})

test('lone surrogates sort as in Python', () => {
  // Python 3: sorted(["\ud83d", "\ue000", "😀", "\ud83dz", "\ude00"])
  const keys = ['\ue000', '😀', '\ude00', '\ud83dz', '\ud83d']
  const sorted = ['\ud83d', '\ud83dz', '\ude00', '\ue000', '😀']
  const text = (names: string[]) => pythonJsonInOrder(Object.fromEntries(names.map((name) => [name, 0])))
  expect(pythonJson(Object.fromEntries(keys.map((name) => [name, 0])))).toBe(text(sorted))
})
