import { expect } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, Client } from '../conformance/support/client.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'l'.repeat(40)
const projectId = 'acme/lake'
const senders = 4
/** Pause of a sender after a request is refused. */
const pauseMs = 50

/**
 * Repeats requests while a node is not sure of its lease, which it may renew late on a slow
 * machine. Repeating is safe: the node refuses such requests before it does anything.
 */
class PatientClient extends Client {
  override withKey(key: string): Client {
    return new PatientClient(this.address, key)
  }

  override async send<T>(...request: Parameters<Client['send']>): Promise<Answer<T>> {
    for (;;) {
      const answer = await super.send<T>(...request)
      if (answer.status !== 503 || !answer.text.includes('asks for its lease')) return answer
      await Bun.sleep(pauseMs)
    }
  }
}

class LakeNode extends ServerChild {
  override async listening(): Promise<Client> {
    const { address, key } = await super.listening()
    return new PatientClient(address, key)
  }
}

/** Nodes of one lake, each with a cache of its own in a folder. */
export class LakeNodes {
  private readonly folder: string
  private readonly env: Readonly<Record<string, string>>
  private readonly nodes: LakeNode[] = []

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder
    this.env = env
  }

  /** Starts a node with an empty cache. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<LakeNode> {
    const data = await mkdtemp(join(this.folder, 'cache-'))
    const node = new LakeNode({ kind: 'plain', data, adminKey, env: { ...this.env, ...env } })
    this.nodes.push(node)
    return node
  }

  async killAll(): Promise<void> {
    for (const node of this.nodes) await node.kill()
  }
}

const callOf = (id: string) => ({
  project_id: projectId,
  id,
  op_name: 'op',
  trace_id: id,
  started_at: '2026-01-31T12:00:00Z',
  ended_at: '2026-01-31T12:00:01Z',
  attributes: {},
  inputs: { text: id },
  output: id,
  summary: {},
})

/** Stores a call. @returns whether a node has accepted it; a node that is gone has not */
export async function store(client: Client, id: string): Promise<boolean> {
  const answer = await client.post(`/v2/${projectId}/calls/complete`, { batch: [callOf(id)] }).catch(() => undefined)
  if (answer === undefined) return false
  if (answer.status === 503) {
    expect(answer.headers.has('retry-after')).toBe(true)
    return false
  }
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  return true
}

/** The ids of all calls, in order. */
export async function idsOf(client: Client): Promise<string[]> {
  const { status, text } = await client.post('/calls/stream_query', { project_id: projectId, columns: ['id'] })
  expect(status).toBe(200)
  const ids = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id)
  return ids.sort()
}

/** Stores calls all the time, at the node that serves, and knows which ones were accepted. */
export class LakeLoad {
  readonly accepted: string[] = []
  /** Ids of all calls that were sent, whatever the outcome. */
  readonly sent = new Set<string>()
  client: Client
  private isOver = false
  private readonly running: Promise<unknown>

  constructor(client: Client, name: string) {
    this.client = client
    this.running = Promise.all(Array.from({ length: senders }, (_, sender) => this.send(`${name}-${sender}`)))
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.running
  }

  private async send(name: string): Promise<void> {
    for (let number = 0; !this.isOver; number++) {
      const id = `${name}-${number}`
      this.sent.add(id)
      if (await store(this.client, id)) this.accepted.push(id)
      else await Bun.sleep(pauseMs)
    }
  }
}

/** All accepted calls are there, each once, and no call that was never sent. */
export async function expectLedger(client: Client, { accepted, sent }: LakeLoad): Promise<void> {
  // More may be accepted while they are read.
  const due = [...accepted]
  const found = await idsOf(client)
  expect(new Set(found).size).toBe(found.length)
  const there = new Set(found)
  expect(due.filter((id) => !there.has(id))).toEqual([])
  expect(found.filter((id) => !sent.has(id))).toEqual([])
}
