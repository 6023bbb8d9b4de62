import { beforeAll, expect, test } from 'bun:test'
import { type CallsSource, metrics, newCard } from '../../../src/web/dashboard/cards/board.ts'
import { callsHref } from '../../../src/web/dashboard/cards/card-calls.ts'
import { cardData, type Group } from '../../../src/web/dashboard/cards/card-data.ts'
import {
  areTraces,
  type CardStats,
  statsRequest,
  UnreadableCard,
} from '../../../src/web/dashboard/cards/card-request.ts'
import { parseFilter } from '../../../src/web/filter/parse-filter.ts'
import { readTimeRange, within } from '../../../src/web/filter/time-range.ts'
import { toQuery } from '../../../src/web/filter/to-query.ts'
import type { Client } from '../../conformance/support/client.ts'
import { createCosts, price } from '../../conformance/support/costs.ts'
import { callRef, giveFeedback } from '../../conformance/support/feedback.ts'
import { Project } from '../../conformance/support/project.ts'
import { sharedWorld } from '../support/world.ts'

let server: Client
let project: Project
const hourMs = 3_600_000
const span = { from: Date.parse('2026-11-20T00:00:00Z'), to: Date.parse('2026-11-22T00:00:00Z') }
const models = ['large', 'small', 'tiny']

/** What the calls are, told once more for the numbers that cards must show. */
const facts = Array.from({ length: 96 }, (_, index) => ({
  id: `card-${index}`,
  at: span.from + Math.floor(index / 2) * hourMs + 600_000,
  isRoot: index % 4 === 0,
  op: `op.${index % 11}`,
  latency: 10 * (index + 1),
  isError: index % 6 === 1,
  // Usage of a call is that of the calls below it: only these state it here.
  model: index % 4 === 0 || index % 5 === 4 ? undefined : models[index % 3]!,
  input: index,
  env: index % 3 === 0 ? undefined : index % 3,
  score: index % 8 === 0 ? index / 96 : undefined,
}))
type Fact = (typeof facts)[number]

beforeAll(async () => {
  server = (await sharedWorld()).server.client
  project = new Project(server, 'acme', 'cards')
  const cost = price({ effective_date: '2024-01-01' })
  await createCosts(project, { large: cost, small: cost, tiny: cost })
  const calls = facts.map((fact, index) => ({
    id: fact.id,
    trace_id: `trace-${Math.floor(index / 4)}`,
    ...(fact.isRoot ? {} : { parent_id: `card-${index - (index % 4)}` }),
    op_name: fact.op,
    started_at: new Date(fact.at).toISOString(),
    ended_at: new Date(fact.at + fact.latency).toISOString(),
    exception: fact.isError ? 'failed' : null,
    attributes: fact.env === undefined ? {} : { env: fact.env },
    summary: fact.model ? { usage: { [fact.model]: { prompt_tokens: fact.input, completion_tokens: 2 } } } : {},
  }))
  await project.add(...calls.slice(0, 50))
  await server.post('/flush', {})
  await project.add(...calls.slice(50))
  for (const { id, score } of facts) {
    if (score === undefined) continue
    await giveFeedback(project, {
      ext_ref: callRef(project, id),
      feedback_type: 'judge',
      payload: { output: { grade: score } },
    })
  }
})

const sourceOf = (changes: Partial<CallsSource>): CallsSource =>
  newCard({}, { scorePath: 'output.grade', ...changes }).source as CallsSource

async function shown(source: CallsSource) {
  const answer = await server.post<CardStats>('/calls/stats', statsRequest(project.id, source, span))
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
  return cardData(source, answer.json, span)
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** The percentile that lies between the two nearest values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

/** The value of a metric for some calls, computed here. */
function expected(metric: (typeof metrics)[number], some: readonly Fact[]): number | null {
  const used = some.filter(({ model }) => model !== undefined)
  const scores = some.flatMap(({ score }) => score ?? [])
  switch (metric) {
    case 'calls':
      return some.length
    case 'errors':
      return some.filter(({ isError }) => isError).length
    case 'error_rate':
      return some.length === 0 ? null : some.filter(({ isError }) => isError).length / some.length
    case 'tokens_in':
      return sum(used.map(({ input }) => input))
    case 'tokens_out':
      return 2 * used.length
    case 'cost': {
      const { prompt_token_cost: input, completion_token_cost: output } = price()
      return sum(used.map((fact) => fact.input * Number(input) + 2 * Number(output)))
    }
    case 'score':
      return scores.length === 0 ? null : sum(scores) / scores.length
    default:
      return percentile(
        some.map(({ latency }) => latency),
        Number(metric.slice(1)) / 100,
      )
  }
}

const valuesOf: Readonly<Record<string, (fact: Fact) => string | number | undefined>> = {
  model: ({ model }) => model,
  op: ({ op }) => op,
  'attributes.env': ({ env }) => env,
}

/** The calls of a group, given the values of all groups that have one. */
function isIn(group: Group | undefined, value: string | number | undefined, named: readonly unknown[]): boolean {
  if (group === undefined) return true
  if (group.kind === 'none') return value === undefined
  return group.kind === 'value' ? value === group.value : value !== undefined && !named.includes(value)
}

const close = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(10)))

const cases = metrics.flatMap((metric) =>
  ['', 'model', 'op', 'attributes.env'].flatMap((group) =>
    (['calls', 'traces'] as const).map((rows) => ({ metric, group, rows })),
  ),
)

test.each(cases)('$metric by “$group” of $rows is what the calls say', async ({ metric, group, rows }) => {
  const source = sourceOf({ metric, group, rows, filter: 'latency > 55' })
  const { series, buckets, total } = await shown(source)
  const counted = facts.filter(({ isRoot, latency }) => latency > 55 && (isRoot || !areTraces(source)))
  const named = series.flatMap((one) => (one.group?.kind === 'value' ? [one.group.value] : []))
  expect(series.length).toBeGreaterThan(0)
  for (const { group: own, values, total: ofGroup } of series) {
    const some = counted.filter((fact) => isIn(own, valuesOf[group]?.(fact), named))
    expect(close(ofGroup)).toBe(close(expected(metric, some)))
    buckets.forEach(({ from, to }, index) => {
      const inside = some.filter(({ at }) => at >= from && at < to)
      expect(close(values[index])).toBe(close(expected(metric, inside)))
    })
  }
  if (group === 'op') expect(series.length).toBeLessThanOrEqual(9)
  if (total !== undefined) expect(close(total)).toBe(close(expected(metric, counted)))
})

const counts = ['calls', 'errors'].flatMap((metric) =>
  ['', 'model', 'op', 'attributes.env'].map((group) => ({ metric: metric as 'calls' | 'errors', group })),
)

test.each(counts)('the address of a point of $metric by “$group” has as many calls', async ({ metric, group }) => {
  for (const rows of ['calls', 'traces'] as const) {
    const source = sourceOf({ metric, group, rows, filter: 'latency > 55' })
    const { series, buckets } = await shown(source)
    for (const one of series) {
      for (const [times, value] of [
        [span, one.total],
        [buckets[20]!, one.values[20]],
      ] as const) {
        const address = new URL(callsHref(project.id, source, times, one.group, series), 'http://here')
        const isOfTraces = areTraces(source)
        expect(address.pathname).toEndWith(isOfTraces ? '/traces' : '/calls')
        const range = readTimeRange(address.searchParams.get('t')!)
        if (range?.kind !== 'between') throw new Error(`No times in ${address}`)
        const node = within(parseFilter(address.searchParams.get('f')!), range.from, range.to)
        const query = toQuery(node, isOfTraces)
        const { json } = await server.post<{ count: number }>('/calls/query_stats', {
          project_id: project.id,
          query,
          ...(isOfTraces && { filter: { trace_roots_only: true } }),
        })
        expect([one.name, json.count]).toEqual([one.name, Number(value)])
      }
    }
  }
})

test('a card that cannot be asked for says why', () => {
  const request = (changes: Partial<CallsSource>) => () => statsRequest(project.id, sourceOf(changes), span)
  expect(request({ group: 'colour' })).toThrow(UnreadableCard)
  expect(request({ filter: 'latency >' })).toThrow(UnreadableCard)
  expect(request({ metric: 'score', scorePath: '' })).toThrow(UnreadableCard)
})
