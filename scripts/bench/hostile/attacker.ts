import type { Target } from '../http/requests.ts'

export type Sent = { readonly status: number; readonly json: unknown }

/** API keys of an attacker. */
export interface AttackerKeys {
  readonly write: string
  readonly read: string
}

/** A client with one key that may write to its own project, and one that may only read another. */
export class Attacker {
  readonly projectId = 'mallory/own'
  readonly url: string
  readonly writeKey: string
  readonly readKey: string
  private readonly signal: AbortSignal

  constructor(target: Target, keys: AttackerKeys, signal: AbortSignal) {
    this.url = target.url
    this.writeKey = keys.write
    this.readKey = keys.read
    this.signal = signal
  }

  /** Posts a request and reads the response. Status 0 means no response. */
  async post(
    path: string,
    body: object | string | Uint8Array<ArrayBuffer>,
    { key = this.writeKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Sent> {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    try {
      const answer = await fetch(this.url + path, {
        method: 'POST',
        body: text,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        signal: this.signal,
      })
      const bytes = await answer.text()
      return {
        status: answer.status,
        json: answer.headers.get('content-type')?.includes('json') ? parsed(bytes) : bytes,
      }
    } catch {
      return { status: 0, json: undefined }
    }
  }

  /** Posts a compressed body with the read-only key. */
  postCompressed(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Sent> {
    return this.post(path, bytes, { key: this.readKey, headers: { 'content-encoding': 'gzip' } })
  }

  /** Starts reading a response and disconnects. */
  async beginAndLeave(path: string, body: object, headers: Record<string, string>): Promise<void> {
    const abort = new AbortController()
    try {
      const answer = await fetch(this.url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${this.writeKey}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.any([abort.signal, this.signal]),
      })
      await answer.body?.getReader().read()
    } catch {
      // It disconnected before the response.
    }
    abort.abort()
  }

  /** Stores an object of a builtin class. Returns its ref if it was stored. */
  async object(name: string, builtinClass: string, val: object): Promise<string | undefined> {
    const obj = { project_id: this.projectId, object_id: name, val, builtin_object_class: builtinClass }
    const { json } = await this.post('/obj/create', { obj })
    const digest = (json as { digest?: string } | undefined)?.digest
    return digest === undefined ? undefined : `ext:///${this.projectId}/object/${name}:${digest}`
  }

  /** Stores a finished call. */
  async call(id: string, inputs: object, output: unknown): Promise<void> {
    const common = { project_id: this.projectId, id, trace_id: id, op_name: 'ask' }
    const at = '2026-01-01T00:00:00Z'
    const start = { ...common, started_at: at, attributes: {}, inputs }
    await this.post('/call/start', { start })
    await this.post('/call/end', { end: { project_id: this.projectId, id, ended_at: at, output, summary: {} } })
  }

  get isOver(): boolean {
    return this.signal.aborted
  }

  sleep(ms: number): Promise<unknown> {
    return Promise.race([Bun.sleep(ms), new Promise((resolve) => this.signal.addEventListener('abort', resolve))])
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
