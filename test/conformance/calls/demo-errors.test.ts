import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Trace } from '../../../src/demo/traces/call-items.ts'
import { isFailed } from '../../../src/lib/failed-calls.ts'
import { demoTraces, sendAsSdk } from '../support/demo-traces.ts'
import { contentTypes, exportOf, groupOf, spanOf } from '../support/otlp.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { readTrace } from '../support/traces.ts'

const server = await sharedServer()
const hourMs = 3_600_000
const nowMs = Math.floor(Date.now() / hourMs) * hourMs
const demoOf = ({ id }: Project) => demoTraces(id, nowMs)
const spansPerExport = 500

const hexOf = (id: string, digits: number) => createHash('sha256').update(id).digest('hex').slice(0, digits)
const nanosOf = (time: string) => `${Date.parse(time)}000000`

/** The same calls as an exporter of OpenTelemetry sends them: once they end, so children first. */
async function sendAsSpans(project: Project, traces: readonly Trace[]): Promise<void> {
  const ended = traces
    .flat()
    .flatMap(({ start, end }) => (end === undefined ? [] : [{ start, end }]))
    .toSorted((a, b) => Date.parse(a.end.ended_at) - Date.parse(b.end.ended_at) || a.start.id.localeCompare(b.start.id))
  const spans = ended.map(({ start, end }) => {
    const { exception } = end
    const failed = exception && {
      status: { code: 2, message: exception.split('\n').at(-1)! },
      events: [{ name: 'exception', attributes: { 'exception.stacktrace': exception } }],
    }
    return spanOf({
      traceId: hexOf(start.trace_id, 32),
      spanId: hexOf(start.id, 16),
      ...(start.parent_id !== undefined && { parentSpanId: hexOf(start.parent_id, 16) }),
      name: start.op_name,
      start: nanosOf(start.started_at),
      end: nanosOf(end.ended_at),
      ...failed,
    })
  })
  for (let from = 0; from < spans.length; from += spansPerExport) {
    const body = JSON.stringify(exportOf(groupOf(spans.slice(from, from + spansPerExport))))
    const headers = { 'content-type': contentTypes.json, project_id: project.id }
    expect((await project.client.postRaw('/otel/v1/traces', body, { headers })).status).toBe(200)
  }
}

const hasFailed = ({ end }: Trace[number]): boolean => Boolean(end?.exception)

/** Trace ids by the status of their roots, by a walk over what was sent. */
function expectedStatuses(traces: readonly Trace[]): Record<string, string[]> {
  const byStatus = Map.groupBy(traces, ([root, ...below]) => {
    if (hasFailed(root!)) return 'error'
    if (root!.end === undefined) return 'running'
    return below.some(hasFailed) ? 'descendant_error' : 'success'
  })
  return Object.fromEntries(
    byStatus.entries().map(([status, of]) => [status, of.map(([root]) => root!.start.trace_id)]),
  )
}

const statusIs = (status: string) => ({ $eq: [{ $getField: 'summary.ext.status' }, { $literal: status }] })
const roots = { trace_roots_only: true }

interface Values {
  values: { value: unknown; count: number }[]
}

interface Stats {
  call_buckets: { group: string; sum_call_count: number }[]
}

/** Checks that everything that counts traces by their status says the same. */
async function expectAgreement(project: Project, expected: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const listed = await project.query({ filter: roots, columns: ['id', 'trace_id', 'summary'], limit: 10_000 })
  const start = new Date(nowMs - 30 * 24 * hourMs).toISOString()
  const common = { project_id: project.id, filter: roots }
  const values = await project.client.post<Values>('/calls/values', { ...common, path: 'summary.ext.status' })
  const stats = await project.client.post<Stats>('/calls/stats', {
    ...common,
    start,
    granularity: 60 * 24 * 3600,
    group_by: 'summary.ext.status',
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
  })
  for (const [status, traceIds] of Object.entries(expected)) {
    const ids = listed.filter(({ summary }) => summary.ext['status'] === status).map(({ trace_id }) => trace_id)
    expect(ids.toSorted()).toEqual(traceIds.toSorted())
    const query = { $expr: statusIs(status) }
    const filtered = await project.query({ filter: roots, query, columns: ['trace_id'], limit: 10_000 })
    const inStats = stats.json.call_buckets.filter(({ group }) => group === status)
    expect({
      filter: filtered.length,
      count: (await project.stats({ filter: roots, query })).count,
      facet: values.json.values.find(({ value }) => value === status)?.count,
      statistics: inStats.reduce((sum, { sum_call_count: count }) => sum + count, 0),
    }).toEqual({
      filter: traceIds.length,
      count: traceIds.length,
      facet: traceIds.length,
      statistics: traceIds.length,
    })
  }
  for (const traceId of expected['descendant_error'] ?? []) {
    const trace = await readTrace(project, traceId)
    const root = trace.depth.indexOf(0)
    expect([trace.has_error_inside[root], trace.statuses[trace.status[root]!]]).toEqual([true, 'descendant_error'])
    const call = listed.find(({ trace_id }) => trace_id === traceId)!
    const cause = call.summary.ext['error_inside'] as { call_id: string; error: string; depth: number }
    const failed = trace.status.flatMap((status, at) => (trace.statuses[status] === 'error' ? [at] : []))
    const deepest = Math.max(...failed.map((at) => trace.depth[at]!))
    expect(trace.depth[trace.call_ids.indexOf(cause.call_id)]).toBe(deepest)
    expect(cause.error).not.toMatch(/^Traceback/)
  }
}

test('the demo: 77 of 500 traces have failed, wherever they are counted', async () => {
  const project = freshProject(server)
  const traces = demoOf(project)
  const expected = expectedStatuses(traces)
  expect(traces.filter((calls) => calls.some(hasFailed))).toHaveLength(77)
  await sendAsSdk(project, traces)
  await expectAgreement(project, expected)
  const failed = { filter: roots, query: { $expr: isFailed } }
  expect(await project.query({ ...failed, columns: ['id'], limit: 10_000 })).toHaveLength(77)
  expect((await project.stats(failed)).count).toBe(77)
}, 120_000)

test('the same as spans of OpenTelemetry', async () => {
  const project = freshProject(server)
  const traces = demoOf(project).filter(([root]) => root!.end !== undefined)
  const expected = expectedStatuses(traces)
  await sendAsSpans(project, traces)
  const inHex = Object.entries(expected).map(([status, ids]) => [status, ids.map((id) => hexOf(id, 32))] as const)
  await expectAgreement(project, Object.fromEntries(inHex))
}, 120_000)
