import { isJsonObject } from '../../lib/json-value.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { itemAt } from '../../lib/present.ts'
import { utf8Bytes } from '../../runtime/platform/crypto.ts'
import type { ImportRecord, OtlpJson, Target } from '../record.ts'
import type { Part } from '../source.ts'
import { prepareCall, prepareFeedback } from './call-lane.ts'
import type { Journal } from './journal.ts'
import { type EncodedItem, encodedAs, type Lane, type Prepare, type Prepared, runsOf } from './lane.ts'
import { exportTo, prepareProtobuf, projectAttributes, signals, whatOf } from './protobuf-lane.ts'
import { RefusedRequest, type ServerClient } from './server-client.ts'
import { countedAlready, type SessionTelemetry } from './session-telemetry.ts'
import type { Tally } from './tally.ts'

/** Spans, log records and metrics in JSON, to the server's OTLP endpoints. */
const prepareTelemetry: Prepare<'telemetry'> = ({ signal, resource, scope, item }, { project }) => {
  const encoded: EncodedItem = {
    kind: 'telemetry',
    signal,
    resource: JSON.stringify(withProject(resource, project)),
    scope: JSON.stringify(scope),
    item: JSON.stringify(item),
  }
  const id = signal === 'traces' ? String(item['spanId'] ?? '').toLowerCase() : undefined
  const bytes = utf8Bytes(encoded.item) + utf8Bytes(encoded.resource) / 16
  return { lane: jsonLane, what: whatOf(signal), group: signal, bytes, encoded, id: id || undefined }
}

/** A resource that names a project of its own gets the user's choice instead. */
function withProject(resource: OtlpJson, project: string): OtlpJson {
  const attributes: unknown[] = Array.isArray(resource['attributes']) ? resource['attributes'] : []
  const others = attributes.filter((entry) => !isJsonObject(entry) || !projectAttributes.has(String(entry['key'])))
  return others.length === attributes.length
    ? resource
    : { ...resource, attributes: [...others, ...inProject(project)] }
}

const inProject = (projectId: string) => {
  const [entity = '', project = ''] = projectId.split('/')
  return [
    { key: 'ext.entity', value: { stringValue: entity } },
    { key: 'ext.project', value: { stringValue: project } },
  ]
}

const jsonLane: Lane = {
  send: (client, records) => {
    const items = encodedAs('telemetry', records)
    return exportTo(client, signals[itemAt(items, 0).signal].path, jsonBody(items), 'application/json')
  },
}

type Scoped = Pick<EncodedItem, 'resource' | 'scope'>

/** One export; neighbours with equal resource and scope share them. */
function jsonBody(items: readonly EncodedItem[]): string {
  const { resources, scopes, items: list } = signals[itemAt(items, 0).signal]
  const groups: string[] = []
  const share = (one: Scoped, other: Scoped) => one.resource === other.resource && one.scope === other.scope
  for (const { resource, scope, items: inScope } of runsOf(items, share))
    groups.push(`{"resource":${resource},"${scopes}":[{"scope":${scope},"${list}":[${inScope.join(',')}]}]}`)
  return `{"${resources}":[${groups.join(',')}]}`
}

/** Records with requests of their own. */
const prepareRequest: Prepare<'request'> = (record) => ({
  lane,
  what: record.what,
  group: record.name,
  // Each is a batch of its own.
  bytes: Number.POSITIVE_INFINITY,
  encoded: record,
  id: undefined,
})

const lane: Lane = {
  async send(client, records) {
    try {
      await itemAt(encodedAs('request', records), 0).send(client)
      return {}
    } catch (error) {
      if (error instanceof RefusedRequest) return { refused: error.message }
      throw error
    }
  },
}

export interface SenderDependencies {
  readonly client: ServerClient
  readonly journal: Journal
  readonly tally: Tally
  readonly onProgress: () => void
  readonly telemetry: SessionTelemetry | undefined
}

/**
 * Sends the records of parts in batches, one request at a time, while the next batch is read. Every
 * acknowledged request is written to the journal.
 */
export class Sender {
  private readonly client: ServerClient
  private readonly journal: Journal
  private readonly tally: Tally
  private readonly onProgress: () => void
  private readonly telemetry: SessionTelemetry | undefined

  constructor({ client, journal, tally, onProgress, telemetry }: SenderDependencies) {
    this.telemetry = telemetry
    this.client = client
    this.journal = journal
    this.tally = tally
    this.onProgress = onProgress
  }

  /** Sends what the journal does not have yet. */
  async send(part: Part): Promise<void> {
    const { done, isEnd } = this.journal.progressOf(part.name, part.version)
    const { name, version } = part
    let position = 0
    let batch: Prepared[] = []
    let bytes = 0
    let request: Promise<void> = Promise.resolve()
    const flush = async () => {
      const full = batch
      const end = position
      batch = []
      bytes = 0
      await request
      if (full.length > 0) request = this.sendBatch(full, { part: name, version, done: end })
      // A failure is reported by the next flush.
      request.catch(() => {})
    }
    for await (const record of part.records()) {
      if (record.kind === 'loss') {
        this.tally.lose(record.what, record.count)
        continue
      }
      if (await this.telemetry?.has(record)) {
        position++
        this.tally.lose(countedAlready)
        continue
      }
      const prepared = prepare(record, this.client)
      this.tally.of(prepared.what).found++
      const isNew = position >= done && !isEnd
      const isNext = batch[0] === undefined || isSameRequest(batch[0], prepared)
      const isFull =
        batch.length >= toolLimits.importBatchRecords || bytes + prepared.bytes > toolLimits.importBatchBytes
      if (!isNext || isFull) await flush()
      position++
      if (!isNew) continue
      batch.push(prepared)
      bytes += prepared.bytes
    }
    await flush()
    await request
    if (!isEnd) await this.journal.add({ part: name, version, done: position, isEnd: true })
  }

  private async sendBatch(
    batch: readonly Prepared[],
    at: { readonly part: string; readonly version: string; readonly done: number },
  ): Promise<void> {
    const refused = await this.sendDivided(batch)
    const { what } = itemAt(batch, 0)
    const ids = batch.flatMap(({ id }) => id ?? [])
    await this.journal.add({ ...at, what, sent: batch.length - refused, refused, ...(ids.length > 0 && { ids }) })
    this.onProgress()
  }

  /** Divides a refused request until only the records that the server refuses are left out. */
  private async sendDivided(batch: readonly Prepared[]): Promise<number> {
    const { lane, what } = itemAt(batch, 0)
    const { refused, rejected } = await lane.send(this.client, batch)
    if (refused === undefined) {
      if (rejected !== undefined)
        this.tally.lose(`${what} that the server rejected: ${rejected.reason}`, rejected.count)
      return rejected?.count ?? 0
    }
    if (batch.length === 1) {
      this.tally.lose(`${what} that the server refused: ${refused}`)
      return 1
    }
    const middle = Math.ceil(batch.length / 2)
    return (await this.sendDivided(batch.slice(0, middle))) + (await this.sendDivided(batch.slice(middle)))
  }
}

const isSameRequest = (first: Prepared, next: Prepared): boolean =>
  first.lane === next.lane && first.group === next.group

/** A record as it is sent. */
export function prepare(record: Exclude<ImportRecord, { kind: 'loss' }>, target: Target): Prepared {
  switch (record.kind) {
    case 'telemetry':
      return prepareTelemetry(record, target)
    case 'protobuf':
      return prepareProtobuf(record, target)
    case 'call':
      return prepareCall(record, target)
    case 'feedback':
      return prepareFeedback(record, target)
    case 'request':
      return prepareRequest(record, target)
  }
}
