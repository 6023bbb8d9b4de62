import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { rawNumber } from '../../../lib/json-value.ts'
import { scorerClasses } from './scorer-classes.ts'

const signal = new AbortController().signal

async function score(
  className: string,
  fields: object,
  output: unknown,
  inputs: Record<string, unknown> = {},
): Promise<unknown> {
  const found = scorerClasses.find((known) => known.className === className)!
  const complete = Value.Default(found.fields, { ...fields })
  Value.Assert(found.fields, complete)
  return (await found.prepare(complete))({ inputs, output }, signal)
}

describe('built-in scorers', () => {
  test.each([
    ['ExactMatchScorer', {}, 'Paris', { expected: 'Paris' }, { match: true }],
    ['ExactMatchScorer', {}, 'paris', { expected: 'Paris' }, { match: false }],
    ['ExactMatchScorer', { normalise: true }, ' “paris”!', { expected: 'Paris' }, { match: true }],
    ['ExactMatchScorer', {}, 4, { expected: '4' }, { match: true }],
    ['ExactMatchScorer', {}, '1', { expected: rawNumber('1.0') }, { match: true }],
    ['ExactMatchScorer', {}, '1.0', { expected: rawNumber('1.0') }, { match: true }],
    ['ExactMatchScorer', {}, '1.5', { expected: 1 }, { match: false }],
    ['ExactMatchScorer', {}, '', { expected: 0 }, { match: false }],
    ['ExactMatchScorer', {}, '12345678901234567890', { expected: rawNumber('12345678901234567890') }, { match: true }],
    ['ExactMatchScorer', {}, '12345678901234567891', { expected: rawNumber('12345678901234567890') }, { match: false }],
    ['ContainsScorer', {}, 'It is 4.', { expected: rawNumber('4.0') }, { contains: true }],
    ['NumericDistanceScorer', {}, rawNumber('2.50'), { expected: 2 }, { distance: 0.5, within: false }],
    ['ValidJSONScorer', {}, rawNumber('2.50'), {}, { json_valid: false }],
    ['ExactMatchScorer', { output_path: 'a.0' }, { a: ['x'] }, { expected: 'x' }, { match: true }],
    ['ExactMatchScorer', { expected_column: 'task.answer' }, 'x', { task: { answer: 'x' } }, { match: true }],
    ['ExactMatchScorer', { expected_column: 'a.b' }, 'x', { 'a.b': 'x' }, { match: true }],
    ['ContainsScorer', {}, 'It is Paris.', { expected: 'Paris' }, { contains: true }],
    ['ContainsScorer', {}, 'It is paris.', { expected: ['Rome', 'Paris'] }, { contains: false }],
    ['ContainsScorer', { normalise: true }, 'It is paris.', { expected: ['Rome', 'Paris'] }, { contains: true }],
    ['ContainsScorer', {}, 'anything', { expected: null }, { contains: false }],
    ['ExactMatchScorer', { output_path: 'a' }, '{"a": "x"}', { expected: 'x' }, { match: true }],
    ['ExactMatchScorer', { output_path: 'a' }, 'no JSON', { expected: 'x' }, { match: false }],
    ['ExactMatchScorer', {}, '', { expected: null }, { match: true }],
    ['RegexScorer', { pattern: '^\\d{3}-\\d{4}$' }, '555-1234', {}, { match: true }],
    ['RegexScorer', { pattern: 'yes' }, 'YES', {}, { match: false }],
    ['RegexScorer', { pattern: 'yes', ignore_case: true }, 'YES', {}, { match: true }],
    ['ValidJSONScorer', {}, '{"a": 1}', {}, { json_valid: true }],
    ['ValidJSONScorer', {}, '{"a": 1', {}, { json_valid: false }],
    ['ValidJSONScorer', {}, '"text"', {}, { json_valid: false }],
    ['ValidJSONScorer', {}, { a: 1 }, {}, { json_valid: true }],
    [
      'JSONSchemaScorer',
      { json_schema: { required: ['a'] } },
      '{"a": 1}',
      {},
      { json_valid: true, schema_valid: true },
    ],
    [
      'JSONSchemaScorer',
      { json_schema: { required: ['a'] } },
      '{"b": 1}',
      {},
      { json_valid: true, schema_valid: false },
    ],
    ['JSONSchemaScorer', { json_schema: {} }, 'none', {}, { json_valid: false, schema_valid: false }],
    [
      'NumericDistanceScorer',
      { tolerance: 0.5 },
      'so 1,234.5 in all',
      { expected: 1234 },
      { distance: 0.5, within: true },
    ],
    [
      'NumericDistanceScorer',
      { tolerance: 0.1, relative: true },
      90,
      { expected: '100' },
      { distance: 0.1, within: true },
    ],
    ['NumericDistanceScorer', {}, 'none', { expected: 1 }, { distance: null, within: false }],
    ['EditDistanceScorer', {}, 'sitting', { expected: 'kitten' }, { distance: 3, similarity: 1 - 3 / 7 }],
    ['EditDistanceScorer', {}, '', { expected: '' }, { distance: 0, similarity: 1 }],
    ['RougeScorer', {}, 'the cat sat', { expected: 'The cat sat' }, { rouge1: 1, rouge2: 1, rougeL: 1 }],
    ['RougeScorer', {}, '', { expected: 'text' }, { rouge1: 0, rouge2: 0, rougeL: 0 }],
    ['RougeScorer', {}, 'dog', { expected: 'cat' }, { rouge1: 0, rouge2: 0, rougeL: 0 }],
    ['RougeScorer', {}, '!!', { expected: '??' }, { rouge1: 0, rouge2: 0, rougeL: 0 }],
  ] as const)('%s %p of %p with %p', async (className, fields, output, inputs, answer) => {
    expect(await score(className, fields, output, inputs)).toEqual(answer)
  })

  test.each(['ExactMatchScorer', 'ContainsScorer', 'NumericDistanceScorer', 'EditDistanceScorer', 'RougeScorer'])(
    '%s gives no score if the row lacks the expected value',
    async (className) => {
      await expect(score(className, { expected_column: 'answer' }, '', { expected: '' })).rejects.toThrow('"answer"')
    },
  )

  test('a pattern with exponential backtracking is matched in linear time', async () => {
    expect(await score('RegexScorer', { pattern: '(a+)+$' }, `${'a'.repeat(50_000)}b`)).toEqual({ match: false })
  })

  test.each([
    ['RegexScorer', { pattern: '(' }],
    ['JSONSchemaScorer', { json_schema: { type: 'nonsense' } }],
  ])('%s rejects %p', async (className, fields) => {
    await expect(score(className, fields, '')).rejects.toThrow(`${className}: `)
  })
})
