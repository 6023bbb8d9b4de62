import { type CallDraft, type CallRecord, completeOf, endOf, startOf } from './call-shapes.ts'
import type { Answer, Client } from './client.ts'

/**
 * One project of the server under test, and the everyday requests on it. Each of them throws unless
 * the server answers 200.
 */
export class Project {
  readonly client: Client
  readonly entity: string
  readonly name: string

  constructor(client: Client, entity: string, name: string) {
    this.client = client
    this.entity = entity
    this.name = name
  }

  /** `entity/project`. */
  get id(): string {
    return `${this.entity}/${this.name}`
  }

  /** Path of an operation under `/v2/{entity}/{project}`. */
  v2(tail: string): string {
    return `/v2/${encodeURIComponent(this.entity)}/${encodeURIComponent(this.name)}/${tail}`
  }

  /** The same project through another key. */
  withKey(key: string): Project {
    return new Project(this.client.withKey(key), this.entity, this.name)
  }

  async start(draft: CallDraft = {}): Promise<{ id: string; trace_id: string }> {
    return succeeded(await this.client.post('/call/start', { start: startOf(this.id, draft) }))
  }

  async end(draft: CallDraft & { id: string }): Promise<void> {
    succeeded(await this.client.post('/call/end', { end: endOf(this.id, draft) }))
  }

  async complete(...drafts: (CallDraft & { id: string })[]): Promise<void> {
    const batch = drafts.map((draft) => completeOf(this.id, draft))
    succeeded(await this.client.post(this.v2('calls/complete'), { batch }))
  }

  /** Stores calls in one batch of starts and ends. Those with `ended_at: null` stay running. */
  async add(...drafts: (CallDraft & { id: string })[]): Promise<void> {
    const batch = drafts.flatMap((draft) => {
      const start = { mode: 'start', req: { start: startOf(this.id, draft) } }
      return draft.ended_at === null ? [start] : [start, { mode: 'end', req: { end: endOf(this.id, draft) } }]
    })
    succeeded(await this.client.post('/call/upsert_batch', { batch }))
  }

  async update(callId: string, displayName: string): Promise<void> {
    const body = { project_id: this.id, call_id: callId, display_name: displayName }
    succeeded(await this.client.post('/call/update', body))
  }

  async delete(...callIds: string[]): Promise<number> {
    const body = { project_id: this.id, call_ids: callIds }
    return succeeded(await this.client.post<{ num_deleted: number }>('/calls/delete', body)).num_deleted
  }

  async read(callId: string, flags: Record<string, boolean> = {}): Promise<CallRecord | null> {
    const body = { project_id: this.id, id: callId, ...flags }
    return succeeded(await this.client.post<{ call: CallRecord | null }>('/call/read', body)).call
  }

  /** @throws where there is no such call */
  async readExisting(callId: string, flags: Record<string, boolean> = {}): Promise<CallRecord> {
    const call = await this.read(callId, flags)
    if (call === null) throw new Error(`Read call "${callId}": there is none`)
    return call
  }

  /** `calls/stream_query`, whatever the answer. */
  ask<T = unknown>(request: Record<string, unknown> = {}, accept = 'application/jsonl'): Promise<Answer<T>> {
    return this.client.post<T>('/calls/stream_query', { project_id: this.id, ...request }, { headers: { accept } })
  }

  async query(request: Record<string, unknown> = {}): Promise<CallRecord[]> {
    const answer = await this.ask(request)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    return answer.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CallRecord)
  }

  /** Ids of the calls that a query answers, in its order. */
  async idsOf(request: Record<string, unknown> = {}): Promise<string[]> {
    return (await this.query(request)).map((call) => call.id)
  }

  async stats(request: Record<string, unknown> = {}): Promise<QueryStats> {
    return succeeded(await this.client.post<QueryStats>('/calls/query_stats', { project_id: this.id, ...request }))
  }
}

export interface QueryStats {
  count: number
  has_more: boolean
  total_storage_size_bytes: number | null
}

function succeeded<T>(answer: Answer<T>): T {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}
