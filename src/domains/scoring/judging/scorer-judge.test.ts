import { expect, test } from 'bun:test'
import { rawNumber } from '../../../lib/json-value.ts'
import { scorerJudge } from './scorer-judge.ts'

const { signal } = new AbortController()

/** Awaiting Bun's `rejects` keeps messages of worker threads from arriving. */
const failureOf = async (work: unknown): Promise<string> => {
  try {
    return `no failure: ${JSON.stringify(await work)}`
  } catch (cause) {
    return String(cause)
  }
}

test('a scorer gives the same result in a worker thread as inline', async () => {
  const judge = await scorerJudge('ExactMatchScorer', {
    output_path: null,
    expected_column: 'expected',
    normalise: false,
  })
  const score = (output: unknown, expected: unknown) => judge({ output, inputs: { expected } }, signal)
  expect(await score('Paris', 'Paris')).toEqual({ match: true })
  expect(await score(rawNumber('12345678901234567890'), '12345678901234567890')).toEqual({ match: true })
  expect(await score(undefined, 'x')).toEqual({ match: false })
  expect(await failureOf(judge({ output: 1, inputs: {} }, signal))).toContain('has no column "expected"')
})

test('an invalid pattern is rejected', async () => {
  expect(await failureOf(scorerJudge('RegexScorer', { pattern: '(', ignore_case: false }))).toContain(
    'is not valid RE2',
  )
})

test('a scorer that takes too long is stopped, after some attempts for good; others continue', async () => {
  const alternatives = Array.from({ length: 40 }, (_, i) => `(a|b){1,${900 + i}}c`).join('|')
  const slow = await scorerJudge('RegexScorer', { pattern: `(?:${alternatives})$`, ignore_case: false })
  const example = { output: `c${'ab'.repeat(6_000)}`, inputs: {} }
  for (let i = 0; i < 3; i++) expect(await failureOf(slow(example, signal))).toContain('timed out')
  expect(await failureOf(slow(example, signal))).toContain('disabled for this job')
  const other = await scorerJudge('RegexScorer', { pattern: 'b+', ignore_case: false })
  expect(await other({ output: 'abc', inputs: {} }, signal)).toEqual({ match: true })
}, 120_000)

test('a long pattern is not matched against a long text', async () => {
  const judge = await scorerJudge('RegexScorer', { pattern: '(a|b){1,1000}c', ignore_case: false })
  expect(await failureOf(judge({ output: 'a'.repeat(4_000_000), inputs: {} }, signal))).toContain('too expensive')
})
