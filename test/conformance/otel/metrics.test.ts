import { describe, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import {
  cumulative,
  gaugeOf,
  histogramOf,
  metricOf,
  metricsExport,
  sendMetrics,
  sumOf,
  timeOf,
} from '../support/metrics.ts'
import { contentTypes } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()

type Row = Record<string, unknown>

async function query(project: Project, request: Row = {}): Promise<Row[]> {
  const { text, status } = await client.post('/metrics/query', { project_id: project.id, ...request })
  expect(status).toBe(200)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

interface Stats {
  totals: Row[]
  buckets: Row[]
}

async function stats(project: Project, request: Row = {}): Promise<Stats> {
  const body = { project_id: project.id, start: timeOf(0), end: timeOf(3600), granularity: 600, ...request }
  const answer = await client.post('/metrics/stats', body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.json as Stats
}

test('a query of metrics pages by the last row', async () => {
  const project = freshProject(client)
  const points = [0, 0, 60, 60, 120].map((at, index) => ({ at: 60 + at, asInt: String(index) }))
  const headers = { 'content-type': contentTypes.json, project_id: project.id }
  const body = JSON.stringify(metricsExport(points.map((point, index) => gaugeOf(`gauge-${index}`, [point]))))
  expect(await client.postRaw('/v1/metrics', body, { headers })).toMatchObject({ status: 200 })
  const whole = await query(project, { fields: ['id'] })
  const paged: Row[] = []
  for (let after: unknown[] | undefined; paged.length < 5; ) {
    const page = await query(project, { fields: ['id', 'time'], limit: 2, after })
    expect(page.length).toBeGreaterThan(0)
    paged.push(...page)
    after = [paged.at(-1)!['time'], paged.at(-1)!['id']]
  }
  expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
})

describe('an export of metrics', () => {
  test.each(['/otel/v1/metrics', '/v1/metrics'])('is stored, a row per data point, at %s', async (path) => {
    const project = freshProject(client)
    const body = metricsExport([
      sumOf('cost', [{ at: 60, since: 0, asDouble: 0.25, attributes: { model: 'm', 'session.id': 's' } }]),
      gaugeOf('temperature', [{ at: 61, asInt: '-3' }]),
    ])
    const answer = await client.postRaw(path, JSON.stringify(body), {
      headers: { 'content-type': contentTypes.json, project_id: project.id },
    })
    expect(answer).toMatchObject({ status: 200, text: '{}' })
    const rows = await query(project)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      name: 'cost',
      kind: 'sum',
      unit: 'USD',
      temporality: 'delta',
      is_monotonic: 1,
      value: 0.25,
      time: timeOf(60).replace('.000', ''),
      service_name: 'agent',
      attributes: { model: 'm', session: { id: 's' } },
      resource: { service: { name: 'agent' } },
      scope: { name: 'a-library', version: '1.2.3' },
    })
    expect(rows[1]).toMatchObject({ name: 'temperature', kind: 'gauge', value: -3, temporality: null })
  })

  test('may hold distributions', async () => {
    const project = freshProject(client)
    const answer = await sendMetrics(project, [
      histogramOf('latency', [
        { at: 1, count: '3', sum: 6, min: 1, max: 3, explicitBounds: [1, 2], bucketCounts: ['1', '1', '1'] },
      ]),
      metricOf('sizes', 'exponentialHistogram', [
        { at: 2, count: 4, sum: 9, scale: 1, zeroCount: '1', positive: { offset: -2, bucketCounts: ['1', 2] } },
      ]),
      metricOf('quantiles', 'summary', [{ at: 3, count: 2, sum: 5, quantileValues: [{ quantile: 0.5, value: 2.5 }] }]),
    ])
    expect(answer).toMatchObject({ status: 200, text: '{}' })
    const rows = await query(project)
    expect(rows.map(({ kind }) => kind)).toEqual(['histogram', 'exponential_histogram', 'summary'])
    expect(rows[0]).toMatchObject({
      count: 3,
      sum: 6,
      min: 1,
      max: 3,
      distribution: { bounds: [1, 2], counts: [1, 1, 1] },
    })
    expect(rows[1]).toMatchObject({
      count: 4,
      distribution: { scale: 1, zero_count: 1, positive: { offset: -2, counts: [1, 2] } },
    })
    expect(rows[2]).toMatchObject({ distribution: { quantiles: [{ quantile: 0.5, value: 2.5 }] } })
  })

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const)('may be compressed with %s', async (name, compress) => {
    const project = freshProject(client)
    const body = JSON.stringify(metricsExport([gaugeOf('g', [{ at: 1, asInt: 1 }])]))
    const headers = { 'content-type': contentTypes.json, project_id: project.id, 'content-encoding': name }
    expect((await client.postRaw('/v1/metrics', new Uint8Array(compress(body)), { headers })).status).toBe(200)
    expect(await query(project)).toHaveLength(1)
  })

  test('sent twice is stored once', async () => {
    const project = freshProject(client)
    const metrics = [sumOf('cost', [{ at: 60, since: 0, asDouble: 0.25 }])]
    await sendMetrics(project, metrics)
    await sendMetrics(project, metrics)
    expect(await query(project)).toHaveLength(1)
  })

  test('is stored but for metrics that cannot be read', async () => {
    const project = freshProject(client)
    const answer = await sendMetrics(project, [
      gaugeOf('', [{ at: 1, asInt: 1 }]),
      { name: 'nothing' },
      gaugeOf('good', [{ at: 1, asInt: 1 }]),
      histogramOf('bad', [
        { at: 1, count: -1 },
        { at: 2, count: 1 },
      ]),
      gaugeOf('odd', [{ at: 1, asDouble: 'NaN' }]),
    ])
    expect(answer.status).toBe(200)
    const { partialSuccess } = answer.json as { partialSuccess: { rejectedDataPoints: string; errorMessage: string } }
    expect(partialSuccess.rejectedDataPoints).toBe('3')
    expect(partialSuccess.errorMessage).toContain('Metric "": it has no name')
    const rows = await query(project, { sort_by: [{ field: 'name', direction: 'asc' }] })
    expect(rows.map(({ name, value }) => [name, value])).toEqual([
      ['good', 1],
      ['odd', null],
    ])
  })

  test('of another signal is refused', async () => {
    const project = freshProject(client)
    const headers = { 'content-type': contentTypes.json, project_id: project.id }
    const answer = await client.postRaw('/v1/metrics', '{"resourceSpans": []}', { headers })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('resourceMetrics')
  })
})

test('data points can be filtered by attributes and sorted', async () => {
  const project = freshProject(client)
  await sendMetrics(project, [
    sumOf('tokens', [
      { at: 1, asInt: 5, attributes: { type: 'input' } },
      { at: 1, asInt: 7, attributes: { type: 'output' } },
      { at: 2, asInt: 9, attributes: { type: 'output' } },
    ]),
  ])
  const rows = await query(project, {
    fields: ['value', 'attributes.type'],
    query: { $expr: { $eq: [{ $getField: 'attributes.type' }, { $literal: 'output' }] } },
    sort_by: [{ field: 'value', direction: 'desc' }],
  })
  expect(rows).toEqual([
    { value: 9, 'attributes.type': 'output' },
    { value: 7, 'attributes.type': 'output' },
  ])
})

describe('statistics of metrics', () => {
  test('add up delta values by attribute and time', async () => {
    const project = freshProject(client)
    await sendMetrics(project, [
      sumOf('cost', [
        { at: 10, since: 0, asDouble: 0.5, attributes: { model: 'a' } },
        { at: 20, since: 10, asDouble: 0.25, attributes: { model: 'a' } },
        { at: 700, since: 20, asDouble: 1, attributes: { model: 'a' } },
        { at: 20, since: 0, asDouble: 2, attributes: { model: 'b' } },
        { at: 4000, since: 0, asDouble: 99, attributes: { model: 'b' } },
      ]),
      sumOf('other', [{ at: 10, asInt: 1 }]),
    ])
    const { totals, buckets } = await stats(project, { metrics: ['cost'], group_by: ['attributes.model'] })
    expect(totals.map(({ group, sum, points }) => [group, sum, points])).toEqual([
      [{ 'attributes.model': 'a' }, 1.75, 3],
      [{ 'attributes.model': 'b' }, 2, 1],
    ])
    expect(buckets.map(({ timestamp, sum }) => [Date.parse(timestamp as string), sum])).toEqual([
      [Date.parse(timeOf(0)), 0.75],
      [Date.parse(timeOf(0)), 2],
      [Date.parse(timeOf(600)), 1],
    ])
  })

  test('take differences of cumulative values, by series and across restarts', async () => {
    const project = freshProject(client)
    const session = (id: string) => ({ attributes: { session: id } })
    await sendMetrics(project, [
      sumOf(
        'lines',
        [
          // 10 lines before the range, 5 more in it; then the program restarts.
          { at: -60, since: -100, asInt: 10, ...session('one') },
          { at: 60, since: -100, asInt: 15, ...session('one') },
          { at: 120, since: 100, asInt: 4, ...session('one') },
          { at: 180, since: 100, asInt: 9, ...session('one') },
          // A restart that only the value shows.
          { at: 240, since: 100, asInt: 2, ...session('one') },
          // Another series: its first value counts whole.
          { at: 60, since: 0, asInt: 100, ...session('two') },
          { at: 120, since: 0, asInt: 100, ...session('two') },
          // It is unknown since when this one counts.
          { at: 60, asInt: 1000, ...session('three') },
          { at: 120, asInt: 1001, ...session('three') },
        ],
        { aggregationTemporality: cumulative },
      ),
    ])
    const { totals } = await stats(project, { group_by: ['attributes.session'] })
    expect(totals.map(({ group, sum }) => [(group as Row)['attributes.session'], sum])).toEqual([
      ['one', 5 + 4 + 5 + 2],
      ['three', 1],
      ['two', 100],
    ])
    const [whole] = (await stats(project)).totals
    expect(whole).toMatchObject({ metric: 'lines', kind: 'sum', sum: 117, count: null, avg: null, last: null })
  })

  test('describe gauges, and sums that may decrease, by their values', async () => {
    const project = freshProject(client)
    const points = [
      { at: 1, since: 0, asInt: 4 },
      { at: 2, since: 0, asInt: 8 },
      { at: 3, since: 0, asInt: 6 },
    ]
    await sendMetrics(project, [
      gaugeOf('gauge', points),
      sumOf('level', points, { aggregationTemporality: cumulative, isMonotonic: false }),
    ])
    for (const total of (await stats(project)).totals) {
      expect(total).toMatchObject({ points: 3, sum: null, avg: 6, min: 4, max: 8, last: 6 })
    }
  })

  test('merge distributions of either temporality', async () => {
    const project = freshProject(client)
    const buckets = { explicitBounds: [], bucketCounts: [] }
    await sendMetrics(project, [
      histogramOf('delta', [
        { at: 1, count: 2, sum: 6, min: 1, max: 5, ...buckets },
        { at: 2, count: 1, sum: 3, min: 3, max: 3, ...buckets },
      ]),
      histogramOf(
        'cumulative',
        [
          { at: 1, since: 0, count: 2, sum: 6, min: 1, max: 5, ...buckets },
          { at: 2, since: 0, count: 3, sum: 9, min: 1, max: 5, ...buckets },
        ],
        { aggregationTemporality: cumulative },
      ),
    ])
    const { totals } = await stats(project)
    expect(totals[0]).toMatchObject({ metric: 'cumulative', sum: 9, count: 3, avg: 3, min: null, max: null })
    expect(totals[1]).toMatchObject({ metric: 'delta', sum: 9, count: 3, avg: 3, min: 1, max: 5 })
  })

  test('refuse unknown fields and invalid ranges', async () => {
    const project = freshProject(client)
    const body = { project_id: project.id, start: timeOf(0), end: timeOf(1) }
    expect((await client.post('/metrics/stats', { ...body, group_by: ['nonsense'] })).status).toBe(422)
    expect((await client.post('/metrics/stats', { ...body, end: timeOf(-1) })).status).toBe(400)
    expect(await stats(project)).toMatchObject({ totals: [], buckets: [] })
  })
})
