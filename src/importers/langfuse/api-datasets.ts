import { isJsonObject } from '../../lib/json-value.ts'
import { parseTime } from '../../lib/time.ts'
import { systemOutboundHttp } from '../../runtime/http/outbound-http.ts'
import { ImportedRun, type ScoreContent } from '../evaluation/imported-run.ts'
import { objectsIn } from '../inspect/members.ts'
import { type DatasetContent, datasetRecord } from '../objects/dataset.ts'
import type { ImportRecord } from '../record.ts'
import { ServerClient } from '../sender/server-client.ts'
import type { Origin } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { jsonOf, membersOf, spanId, textOf, traceId } from './langfuse-span.ts'

export type Members = Record<string, unknown>

const pageSize = 50

/** The public API of a Langfuse server. Requests are repeated while it is overloaded. */
export class LangfuseApi {
  private readonly client: ServerClient

  /** @param key the public and the secret key, with a colon between them */
  constructor(url: string, key: string) {
    this.client = new ServerClient({ url, key, project: '' }, systemOutboundHttp, () => {})
  }

  /** The elements of a list, page by page. */
  async *list(path: string, parameters: Readonly<Record<string, string>> = {}): AsyncGenerator<Members> {
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({ ...parameters, page: String(page), limit: String(pageSize) })
      const { data } = await this.read(`${path}?${query}`)
      yield* objectsIn(data)
      if (!Array.isArray(data) || data.length < pageSize) return
    }
  }

  /** @throws Error if the server refuses */
  async read(path: string): Promise<Members> {
    const found = await this.find(path)
    if (found === undefined) throw new Error(`Langfuse answered 404 to ${path}`)
    return found
  }

  /** The same; undefined if there is nothing at that path. */
  async find(path: string): Promise<Members | undefined> {
    const { status, text } = await this.client.get(path)
    if (status === 404 || status === 410) return undefined
    if (status >= 400) throw new Error(`Langfuse answered ${status} to ${path}: ${text.slice(0, 300)}`)
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) throw new Error(`Langfuse did not answer ${path} with an object: ${text.slice(0, 300)}`)
    return value
  }
}

/** Datasets, and their runs as evaluations. */
export async function* apiDatasets(api: LangfuseApi, origin: Origin): AsyncGenerator<ImportRecord> {
  for await (const dataset of api.list('/api/public/v2/datasets')) {
    const name = String(dataset['name'])
    const rows = new Map<string, Members>()
    for await (const item of api.list('/api/public/dataset-items', { datasetName: name })) {
      if (item['status'] === 'ARCHIVED') continue
      const { input, expectedOutput, metadata } = item
      rows.set(String(item['id']), { input, expected_output: expectedOutput, metadata })
    }
    const content = { name, description: textOf(dataset['description']) ?? null, rows: [...rows.values()] }
    yield datasetRecord(content)
    yield* runsOf(api, { content, rows, origin })
  }
}

interface DatasetWithItems {
  readonly content: DatasetContent
  /** By the ids of the items. */
  readonly rows: ReadonlyMap<string, Members>
  readonly origin: Origin
}

async function* runsOf(api: LangfuseApi, dataset: DatasetWithItems): AsyncGenerator<ImportRecord> {
  const path = `/api/public/datasets/${encodeURIComponent(dataset.content.name)}/runs`
  // Langfuse 4 has experiments instead.
  if ((await api.find(`${path}?page=1&limit=1`)) === undefined) {
    yield { kind: 'loss', what: 'runs of datasets, which this version of Langfuse does not offer' }
    return
  }
  for await (const { name } of api.list(path)) {
    const run = await api.find(`${path}/${encodeURIComponent(String(name))}`)
    if (run !== undefined) yield* runRecords(api, run, dataset)
  }
}

/** A trial per item; its output and its scores are in its trace. */
async function* runRecords(
  api: LangfuseApi,
  run: Members,
  { content, rows, origin }: DatasetWithItems,
): AsyncGenerator<ImportRecord> {
  const trials: { item: Members; itemId: string; row: Members; trial: Trial }[] = []
  for (const item of objectsIn(run['datasetRunItems'])) {
    const itemId = String(item['datasetItemId'])
    const row = rows.get(itemId)
    if (row !== undefined) trials.push({ item, itemId, row, trial: await trialOf(api, item) })
  }
  const name = String(run['name'])
  const metadata = membersOf(run['metadata'])
  const imported = new ImportedRun({
    id: stableUuid('langfuse', 'run', content.name, String(run['id'])),
    // Runs of one dataset are runs of one evaluation.
    name: `${content.name}-runs`,
    displayName: name,
    description: null,
    dataset: content,
    model: { name, attributes: { metadata } },
    scorers: [...new Set(trials.flatMap(({ trial: { scores } }) => scores.map(({ scorer }) => scorer)))].sort(),
    trials: 1,
  })
  yield* imported.objects
  const times = trials.flatMap(({ trial: { startedAt, endedAt } }) => [startedAt, endedAt]).sort()
  const createdAt = String(run['createdAt'])
  yield* imported.calls({
    startedAt: times[0] ?? createdAt,
    endedAt: times.at(-1) ?? createdAt,
    output: {},
    exception: null,
    attributes: { metadata, description: run['description'] ?? null, import: origin },
  })
  const feedback: ImportRecord[] = []
  for (const { item, itemId, row, trial: told } of trials) {
    const { scores, output, startedAt, endedAt, trace, observation } = told
    const trial = {
      id: stableUuid(imported.id, String(item['id'] ?? itemId)),
      row,
      output,
      exception: null,
      scores: Object.fromEntries(scores.map((score) => [score.scorer, score.output])),
      startedAt,
      endedAt,
      latency: ((parseTime(endedAt) ?? 0) - (parseTime(startedAt) ?? 0)) / 1e6,
      attributes: { langfuse_trace_id: trace, import: origin },
      ...(observation !== undefined && { span: { traceId: traceId(trace), spanId: spanId(observation) } }),
    }
    yield* imported.trial(trial)
    for (const score of scores) {
      const content = { ...score, startedAt: endedAt, endedAt, attributes: { import: origin } }
      yield imported.score(trial, content)
      feedback.push(imported.scoreFeedback(trial.id, content))
    }
  }
  yield* feedback
}

interface Trial {
  readonly trace: string
  /** The observation that was run, or the root of the trace. */
  readonly observation: string | undefined
  readonly output: unknown
  readonly startedAt: string
  readonly endedAt: string
  readonly scores: readonly Pick<ScoreContent, 'scorer' | 'output'>[]
}

async function trialOf(api: LangfuseApi, item: Members): Promise<Trial> {
  const id = String(item['traceId'])
  const trace = (await api.find(`/api/public/traces/${encodeURIComponent(id)}`)) ?? {}
  const observations = membersIn(trace['observations'])
  const named = textOf(item['observationId'])
  const observation =
    observations.find((one) => one['id'] === named) ??
    observations.find((one) => textOf(one['parentObservationId']) === undefined)
  const startedAt = String(observation?.['startTime'] ?? trace['timestamp'] ?? item['createdAt'])
  const scores = membersIn(trace['scores']).filter(
    ({ observationId }) => !named || !observationId || observationId === named,
  )
  return {
    trace: id,
    observation: textOf(observation?.['id']),
    output: jsonOf(
      (named === undefined ? trace['output'] : undefined) ?? observation?.['output'] ?? trace['output'] ?? null,
    ),
    startedAt,
    endedAt: String(observation?.['endTime'] ?? startedAt),
    scores: scores.map(({ name, value, stringValue, comment }) => ({
      scorer: String(name),
      output: {
        value: jsonOf(value),
        ...(textOf(stringValue) && { string_value: stringValue }),
        ...(textOf(comment) && { comment }),
      },
    })),
  }
}

const membersIn = (value: unknown): Members[] =>
  Array.isArray(value) ? value.filter((one): one is Members => typeof one === 'object' && one !== null) : []
