import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { type CallToExport, callToSpan } from '../../formats/mapping/export/call-to-span.ts'
import { dumpToSpan } from '../../formats/mapping/export/dump-to-span.ts'
import { tracesUrl } from '../../formats/mapping/export/export-answer.ts'
import type { ExportedSpan } from '../../formats/mapping/export/otlp-span.ts'
import { parseExactly, parseObject } from '../../formats/wire/exact-json.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { present } from '../../lib/present.ts'
import { spanColumns, spanText } from '../../lib/stored-span.ts'
import { formatTime } from '../../lib/time.ts'
import { columnField } from '../../query/catalog.ts'
import { all, type Expression, fieldOneOf, fieldValue, not } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { type CallsAction, writerOf } from './calls-worker.ts'
import { OtlpSender } from './otlp-sender.ts'
import type { RuleSecrets } from './rule-secrets.ts'
import type { StoredRule } from './stored-rule.ts'

const spanCells = callsTable.select(...spanColumns)
const callCells = callsTable.select(
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
  'attributes',
  'inputs',
  'output',
  'summary',
)
const hasNoDump: Expression = { kind: 'isNull', value: fieldValue(columnField('otel_dump')) }

/** Reads calls as the spans that they are exported as. Of calls made from spans, only those. */
async function readSpans(
  store: Store,
  { projectId }: ProjectReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ExportedSpan[]> {
  const wanted = fieldOneOf(columnField('id'), ids)
  const { dumps, calls } = await store.read([callsTable.name], { projectId, signal }, async (snapshot) => {
    const relation = await snapshot.relationWhere(callsTable.name, { id: ids })
    const rows = (where: Expression, columns: readonly string[]) =>
      snapshot.rows(compileRows({ relation, projectId, where: all([wanted, where]), columns }))
    return {
      dumps: (await rows(not(hasNoDump), spanCells.columns)).map((cells) =>
        present(spanText(spanCells.read(cells)), 'The span of a call'),
      ),
      calls: (await rows(hasNoDump, callCells.columns)).map((cells) => callCells.read(cells)),
    }
  })
  const spans: ExportedSpan[] = []
  const slice = new TimeSlice()
  for (const dump of dumps) {
    await slice.yieldIfExpired()
    spans.push(dumpToSpan(parseObject(dump)))
  }
  for (const call of calls) {
    await slice.yieldIfExpired()
    spans.push(callToSpan(callOf(projectId, call)))
  }
  return spans
}

function callOf(projectId: string, cells: ReturnType<typeof callCells.read>): CallToExport {
  const { started_at, ended_at, attributes, inputs, output, summary, exception, ...same } = cells
  return {
    ...same,
    project_id: projectId,
    started_at: formatTime(started_at),
    ended_at: formatTime(ended_at ?? started_at),
    exception: exception || null,
    attributes: objectIn(attributes),
    inputs: objectIn(inputs),
    output: output === null ? null : parseExactly(output),
    summary: objectIn(summary),
  }
}

const objectIn = (text: string | null): Record<string, unknown> => (text === null ? {} : parseObject(text))

export interface ForwardParts {
  readonly store: Store
  readonly requests: GuardedRequests
  readonly secrets: RuleSecrets
}

/** Sends calls to another receiver of OTLP. Spans keep their ids, so that it can merge repeats. */
export function forwardAction(
  { store, requests, secrets }: ForwardParts,
  rule: StoredRule,
  given: string,
): CallsAction {
  const url = tracesUrl(given)
  const headers = async () => (await secrets.get(writerOf(rule), rule.id, url)).headers
  const sender = new OtlpSender(requests, { url, headers })
  return {
    callsMax: ruleLimits.forwardedTogether,
    handle: async (calls, signal) => {
      const ids = calls.map(({ id }) => id)
      const spans = await readSpans(store, writerOf(rule), ids, signal)
      return { rejected: await sender.send(spans, signal) }
    },
  }
}
