import { describe, expect, test } from 'bun:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { allOf, anyOf, type Comparator, condition, type FilterNode, type FilterValue, negated } from './expression.ts'
import { readFilter, textOfQuery } from './filter-text.ts'
import { formatFilter } from './format-filter.ts'
import { fromQuery } from './from-query.ts'
import { parseFilter } from './parse-filter.ts'
import { toQuery } from './to-query.ts'

const field = (path: string) => ({ $getField: path })
const literal = (value: unknown) => ({ $literal: value })

describe('filter text to query', () => {
  test('reads the conditions of the API', () => {
    expect(readFilter('latency > 5s and inputs.user = "ann"').query).toEqual({
      $expr: {
        $and: [
          { $gt: [field('summary.ext.latency_ms'), literal(5000)] },
          { $eq: [field('inputs.user'), literal('ann')] },
        ],
      },
    })
    expect(readFilter('status is not error inputs.n >= 3').query).toEqual({
      $expr: {
        $and: [
          { $not: [{ $eq: [field('summary.ext.status'), literal('error')] }] },
          { $gte: [field('inputs.n'), literal(3)] },
        ],
      },
    })
  })

  test('reads tokens, cost and model of calls, and of the traces that a table shows', () => {
    const node = parseFilter('tokens > 1000 and cost <= $0.5 and model != "gpt-4o"')
    const holds = (path: string) => ({ $contains: { input: field(path), substr: literal('gpt-4o') } })
    expect(toQuery(node)?.$expr).toEqual({
      $and: [
        { $gt: [field('usage.total_tokens'), literal(1000)] },
        { $lte: [field('usage.total_cost'), literal(0.5)] },
        { $not: [holds('usage.models')] },
      ],
    })
    expect(JSON.stringify(toQuery(node, true))).toBe(JSON.stringify(toQuery(node)).replaceAll('usage.', 'trace_usage.'))
    for (const text of ['tokens > 1000', 'model = "gpt-4o"', 'model != "a"', 'model in ("a", "b")', 'cost exists']) {
      expect(textOfQuery(toQuery(parseFilter(text), true))).toBe(text)
      expect(textOfQuery(toQuery(parseFilter(text)))).toBe(text)
    }
    expect(() => parseFilter('cost > much')).toThrow()
  })

  test('binds and more tightly than or', () => {
    expect(formatFilter(parseFilter('(id = a or id = b) and id != c or not latency < 1m'))).toBe(
      '(id = "a" or id = "b") and id != "c" or not latency < 1m',
    )
  })

  test('matches ops by name and by ref', () => {
    expect(readFilter('op = "airline agent"').query).toEqual({
      $expr: {
        $or: [
          { $eq: [field('op_name'), literal('airline agent')] },
          { $contains: { input: field('op_name'), substr: literal('/op/airline%20agent:') } },
          // The op of a span with that name.
          { $contains: { input: field('op_name'), substr: literal('/op/airline-agent:') } },
        ],
      },
    })
    expect(readFilter('op = "airline.agent"').query).toEqual({
      $expr: {
        $or: [
          { $eq: [field('op_name'), literal('airline.agent')] },
          { $contains: { input: field('op_name'), substr: literal('/op/airline.agent:') } },
        ],
      },
    })
  })

  test('keeps integers that a double cannot hold', () => {
    expect(JSON.stringify(readFilter('inputs.n = 9007199254740993').query)).toContain('"$literal":9007199254740993}')
  })

  test('matches errors of calls and errors inside them as failed, also while they run', () => {
    const failed = {
      $or: [
        { $in: [field('summary.ext.status'), [literal('error'), literal('descendant_error')]] },
        {
          $and: [
            { $eq: [field('summary.ext.status'), literal('running')] },
            { $not: [{ $eq: [field('summary.ext.error_inside.call_id'), literal(null)] }] },
          ],
        },
      ],
    }
    const running = { $in: [field('summary.ext.status'), [literal('running')]] }
    expect(readFilter('status = failed').query).toEqual({ $expr: failed })
    expect(readFilter('status != failed').query).toEqual({ $expr: { $not: [failed] } })
    expect(readFilter('status in (running, failed)').query).toEqual({ $expr: { $or: [failed, running] } })
    for (const text of ['status = failed', 'status != failed', 'status in (failed, running, ok)'])
      expect(textOfQuery(readFilter(text).query)).toBe(text)
  })

  test('searches for words and quoted texts', () => {
    expect(parseFilter('refund "new policy"')).toEqual({
      kind: 'all',
      items: [
        { kind: 'text', text: 'refund' },
        { kind: 'text', text: 'new policy' },
      ],
    })
  })

  const spellings: readonly (readonly [string, string])[] = [
    ['status:error', 'status = error'],
    ['op:"a b"', 'op = "a b"'],
    ['status = descendant_error', 'status = "error inside"'],
    ['status = failed', 'status = failed'],
    ['status:Failed', 'status = failed'],
    ['not status = failed', 'status != failed'],
    ['status in (failed, running)', 'status in (failed, running)'],
    ['status = "error inside"', 'status = "error inside"'],
    ['latency>1.5s', 'latency > 1.5s'],
    ['latency >= 90000', 'latency >= 90s'],
    ['summary.ext.latency_ms < 250', 'latency < 250ms'],
    ['inputs.a == true', 'inputs.a = true'],
    ['inputs.a = "true"', 'inputs.a = "true"'],
    ['inputs.a = null', 'inputs.a missing'],
    ['inputs.a != null', 'inputs.a exists'],
    ['inputs.a is missing', 'inputs.a missing'],
    ['not inputs.a exists', 'inputs.a missing'],
    ['not not inputs.a exists', 'inputs.a exists'],
    ['not (id = a)', 'id != "a"'],
    ['op not in (a, "b c")', 'op not in ("a", "b c")'],
    ['output contains Refund', 'output contains "Refund"'],
    ['output contains exactly "Refund"', 'output contains exactly "Refund"'],
    ['output contains exactly', 'output contains "exactly"'],
    ['output has word refund', 'output has word "refund"'],
    ['size(inputs.messages) > 3', 'size(inputs.messages) > 3'],
    ['`inputs.a b` = 1', '`inputs.a b` = 1'],
    ['feedback.[*].payload.value > 0.5', 'feedback.[*].payload.value > 0.5'],
    ['started >= 2026-11-22T10:00', 'started >= 2026-11-22T10:00:00.000Z'],
    ['error contains “time out”', 'error contains "time out"'],
    ['summary.cost > $5', 'summary.cost > 5'],
    ['', ''],
  ]
  test.each(spellings)('reads %p as %p', (text, canonical) => {
    expect(formatFilter(parseFilter(text))).toBe(canonical)
  })

  const faults: readonly (readonly [string, string])[] = [
    ['latency > fast', 'Expected a number after “latency >”, found “fast”.'],
    ['latency >', 'Expected a number after “latency >”, found the end.'],
    ['status = slow', 'Expected ok, failed, error, running or “error inside” after “status =”, found “slow”.'],
    ['started > yesterday', 'Expected a time such as 2026-11-22T10:00Z after “started >”, found “yesterday”.'],
    ['lateny > 5s', 'Unknown field “lateny”. Did you mean “latency”?'],
    ['user_id = a', 'Unknown field “user_id”. Fields of your own begin with inputs, output, attributes or summary.'],
    ['(id = a', 'Expected a closing parenthesis after “a”, found the end.'],
    ['id = a)', 'Expected a condition after “a”, found “)”.'],
    ['id = "a', 'Expected a closing quotation mark after “a”, found the end.'],
    ['and id = a', 'Expected a condition, found “and”.'],
    ['id in ()', 'Expected a value after “id in”, found “)”.'],
    ['size(inputs.a) > x', 'Expected a number after “size(inputs.a) >”, found “x”.'],
  ]
  test.each(faults)('refuses %p', (text, message) => {
    expect(readFilter(text).error?.message).toBe(message)
  })

  test('refuses what is too long or too deep', () => {
    expect(readFilter('a '.repeat(5_000)).error?.message).toBe('The filter is longer than 8000 characters.')
    expect(readFilter(`${'('.repeat(30)}id = a${')'.repeat(30)}`).error?.message).toContain(
      'too many nested parentheses',
    )
  })
})

describe('query to filter text', () => {
  test('says what other clients have written', () => {
    const query = {
      $expr: { $gt: [{ $convert: { input: field('inputs.n'), to: 'double' } }, literal(5)] },
    }
    expect(textOfQuery(query)).toBe('inputs.n > 5')
  })

  test('has no words for a comparison of two fields', () => {
    expect(textOfQuery({ $expr: { $eq: [field('inputs.a'), field('inputs.b')] } })).toBeUndefined()
  })
})

const texts = [
  '',
  'a',
  'and',
  'or',
  'true',
  '3',
  '"',
  '\\',
  '\\n',
  'a"b`c',
  'größe 漢字 🙂',
  '-24h',
  'a\nb\tc',
  '“x”',
  '(',
  ':',
]
const paths = [
  'inputs',
  'inputs.a',
  'output.a b',
  'inputs.a\\.b',
  'attributes.`x`',
  'summary.and',
  'inputs.a!=b',
  'feedback.[*].payload.v',
]
const comparators: readonly Comparator[] = [
  ...(['=', '!=', '>', '>=', '<', '<=', 'in', 'not in', 'exists', 'missing'] as const),
  ...(['contains', 'not contains', 'contains exactly', 'has word'] as const),
]

function randomFilter(next: () => number, depth: number): FilterNode {
  const one = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  const value = (): FilterValue => one([...texts, 0, -1.5, 1e21, true, false, 2n ** 60n, 12345n ** 7n])
  const kind = next()
  if (depth > 0 && kind < 0.2) return negated(randomFilter(next, depth - 1))
  if (depth > 0 && kind < 0.6) {
    const items = Array.from({ length: 1 + Math.floor(next() * 3) }, () => randomFilter(next, depth - 1))
    return (kind < 0.4 ? allOf(items) : anyOf(items))!
  }
  if (kind < 0.65) return { kind: 'text', text: one(texts) }
  if (kind < 0.72) return condition('op_name', one(['=', '!=', 'in']), [`op ${one(texts)}`])
  if (kind < 0.76)
    return condition('summary.ext.status', '!=', [one(['success', 'error', 'descendant_error', 'failed'])])
  if (kind < 0.82) return condition('summary.ext.latency_ms', '>', [Math.floor(next() * 1e6) / 10])
  if (kind < 0.86) return condition('inputs.list', '>=', [Math.floor(next() * 9)], true)
  const comparator = one(comparators)
  const isSearch = comparator.includes('contains') || comparator === 'has word'
  const isOrder = comparator.startsWith('>') || comparator.startsWith('<')
  if (comparator === 'exists' || comparator === 'missing') return condition(one(paths), comparator, [])
  if (comparator === 'in' || comparator === 'not in') return condition(one(paths), comparator, [value(), value()])
  return condition(one(paths), comparator, [isSearch ? one(texts) : isOrder ? 3 : value()])
}

/** Lists of one op read back as one op. */
const settled = (node: FilterNode): string => formatFilter(fromQuery(toQuery(node)) ?? node)

test('20,000 random filters survive text and query', () => {
  const next = seededRandom(20_261_122)
  for (let count = 0; count < 20_000; count += 1) {
    const node = randomFilter(next, 3)
    const text = formatFilter(node)
    expect(parseFilter(text), text).toEqual(node)
    const query = toQuery(node)
    const back = fromQuery(query)
    expect(back, text).toBeDefined()
    expect(JSON.stringify(toQuery(parseFilter(settled(node)))), text).toBe(JSON.stringify(toQuery(back)))
    if (!/\bop (=|in|not in)/.test(text)) expect(formatFilter(back), text).toBe(text)
  }
})
