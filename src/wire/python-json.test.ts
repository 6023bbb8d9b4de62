import { expect, test } from 'bun:test'
import { digestOfJson } from '../model/digest.ts'
import { pythonJson } from '../model/python-json.ts'
import vectors from '../model/python-json.vectors.json'
import { parseExactly } from './exact-json.ts'
import { parseJsonBody } from './json-body.ts'

/** What Python 3 answered: text → json.dumps(json.loads(text)) → digest. */
test.each(vectors)('Python prints $text the same way', ({ text, python, digest }) => {
  expect(pythonJson(parseExactly(text))).toBe(python)
  expect(digestOfJson(parseExactly(text))).toBe(digest)
  const { val } = parseJsonBody(`{"val":${text}}`, 200) as { val: unknown }
  expect(pythonJson(val)).toBe(python)
})
