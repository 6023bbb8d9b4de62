import type { Client } from '../conformance/support/client.ts'
import { upload } from '../conformance/support/files.ts'
import { Project } from '../conformance/support/project.ts'
import type { Random } from '../store/random.ts'

/**
 * The effect of one request: the name of calls afterwards, null if they are deleted; or the digest
 * of a content.
 */
export interface Step {
  readonly calls: readonly (readonly [id: string, name: string | null])[]
  readonly content?: { readonly digest: string; readonly owner: string }
}

/** Is told when a request is about to be sent and when it was acknowledged. */
export interface Witness {
  begun(step: Step): void
  acknowledged(step: Step): void
}

const payloadMax = 3_000

/**
 * Sends requests one by one, each for its own calls, until one is not acknowledged.
 */
export class Writer {
  private readonly name: string
  private readonly random: Random
  private readonly living: string[] = []
  private count = 0
  lastAnswer: { status: number; text: string } | undefined

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  /** @returns how many requests were acknowledged */
  async run(client: Client, witness: Witness, requestsMax = Number.POSITIVE_INFINITY): Promise<number> {
    const project = new Project(client, 'faults', this.name)
    for (let done = 0; done < requestsMax; done++) if (!(await this.one(project, witness))) return done
    return requestsMax
  }

  private async one(project: Project, witness: Witness): Promise<boolean> {
    const { random, living } = this
    const choice = random.next()
    if (choice < 0.15) {
      const content = `${this.name} ${this.count++} ${'x'.repeat(random.below(20_000))}`
      const digest = new Bun.CryptoHasher('sha256').update(content).digest('base64url')
      const step = {
        calls: [],
        content: { digest: digest.replaceAll('-', 'X').replaceAll('_', 'Y'), owner: this.name },
      }
      return await this.sent(step, witness, () => upload(project, { content }))
    }
    if (choice < 0.4 && living.length > 0) {
      const id = random.pick(living)
      const name = `name ${this.count++}`
      const body = { project_id: project.id, call_id: id, display_name: name }
      return await this.sent({ calls: [[id, name]] }, witness, () => project.client.post('/call/update', body))
    }
    if (choice < 0.5 && living.length > 0) {
      const [id] = living.splice(random.below(living.length), 1)
      const body = { project_id: project.id, call_ids: [id] }
      return await this.sent({ calls: [[id!, null]] }, witness, () => project.client.post('/calls/delete', body))
    }
    const ids = Array.from({ length: random.between(1, 8) }, () => `${this.name}-${this.count++}`)
    const batch = ids.map((id) => ({
      ...{ project_id: project.id, id, trace_id: id, op_name: 'op', display_name: 'new', attributes: {}, summary: {} },
      ...{ started_at: '2024-05-01T10:00:00Z', ended_at: '2024-05-01T10:00:01Z', output: null },
      inputs: { text: 'y'.repeat(random.below(payloadMax)) },
    }))
    const step = { calls: ids.map((id) => [id, 'new'] as const) }
    const isDone = await this.sent(step, witness, () => project.client.post(project.v2('calls/complete'), { batch }))
    if (isDone) living.push(...ids)
    return isDone
  }

  private async sent(
    step: Step,
    witness: Witness,
    send: () => Promise<{ status: number; text: string }>,
  ): Promise<boolean> {
    witness.begun(step)
    // A dead server does not respond.
    this.lastAnswer = await send().catch(() => undefined)
    if (this.lastAnswer?.status !== 200) return false
    witness.acknowledged(step)
    return true
  }
}

/**
 * What may be found after a fault: the valid names of each call, and the contents that must exist.
 */
export class Expectation {
  private readonly names = new Map<string, Set<string | null>>()
  private readonly contents = new Map<string, string>()

  begun({ calls }: Step): void {
    for (const [id, name] of calls) {
      const right = this.names.get(id) ?? new Set([null])
      this.names.set(id, right.add(name))
    }
  }

  acknowledged({ calls, content }: Step): void {
    for (const [id, name] of calls) this.names.set(id, new Set([name]))
    if (content !== undefined) this.contents.set(content.digest, content.owner)
  }

  /** Faults in what a server returns, one per line. */
  async differences(client: Client, writers: readonly string[]): Promise<string[]> {
    const found: string[] = []
    const shown = new Map<string, string | null>()
    for (const name of writers) {
      const project = new Project(client, 'faults', name)
      const calls = await project.query()
      for (const { id, display_name } of calls) {
        if (shown.has(id)) found.push(`${id} is answered twice`)
        shown.set(id, display_name ?? '')
      }
      for (const [digest, owner] of this.contents) {
        if (owner !== name) continue
        const { status } = await client.post('/file/content', { project_id: project.id, digest })
        if (status !== 200) found.push(`content ${digest} is answered ${status}`)
      }
    }
    for (const [id, right] of this.names) {
      const name = shown.get(id) ?? null
      if (!right.has(name)) found.push(`${id} is ${JSON.stringify(name)} and should be ${JSON.stringify([...right])}`)
      shown.delete(id)
    }
    for (const id of shown.keys()) found.push(`${id} was never sent`)
    return found
  }
}
