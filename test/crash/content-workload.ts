import { createHash } from 'node:crypto'
import type { Client } from '../conformance/support/client.ts'
import { download, noise, upload } from '../conformance/support/files.ts'
import { Project } from '../conformance/support/project.ts'
import { append, digestOfRows, pop, rowDigest, Tables } from '../conformance/support/tables.ts'
import type { Random } from '../store/random.ts'

export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')

type Outcome = 'stored' | 'unavailable' | 'unanswered'

/** Before a server that cannot store now is asked again. */
const pauseMs = 50

/** A client that sends files and tables one by one and records what was acknowledged. */
export class ContentWorkload {
  /** Acknowledged requests. */
  acknowledged = 0
  private readonly name: string
  private readonly random: Random
  private readonly files = new Map<string, Uint8Array>()
  private readonly tables = new Map<string, readonly unknown[]>()
  /** The subject of the request in flight when the server died. */
  private unanswered: { file?: [string, Uint8Array]; table?: [string, readonly unknown[]] } = {}
  private next = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  /**
   * Sends until the server dies. A server that cannot store now is asked again.
   * @throws Error if the server rejects a request
   */
  async run(client: Client): Promise<void> {
    const project = this.projectOf(client)
    for (;;) {
      const choice = this.random.next()
      const sent = choice < 0.4 ? this.sendFile(project) : choice < 0.7 ? this.create(project) : this.update(project)
      const outcome = await sent
      if (outcome === 'unanswered') return
      if (outcome === 'stored') this.acknowledged++
      else await Bun.sleep(pauseMs)
      this.unanswered = {}
    }
  }

  /** Acknowledged files. */
  get fileCount(): number {
    return this.files.size
  }

  /** What is lost, torn or partial, one per line. */
  async faults(client: Client): Promise<string[]> {
    const project = this.projectOf(client)
    const faults: string[] = []
    for (const [digest, bytes] of this.files) {
      const answer = await download(project, digest)
      if (answer.status !== 200) faults.push(`file ${digest} is answered with ${answer.status}`)
      else if (!Buffer.from(bytes).equals(answer.bytes)) faults.push(`file ${digest} has other bytes`)
    }
    for (const [digest, rows] of this.tables) {
      const found = await new Tables(project).vals(digest)
      if (!Bun.deepEquals(found, rows)) faults.push(`table ${digest} has ${found.length} rows, not ${rows.length}`)
    }
    return [...faults, ...(await this.halves(project))]
  }

  /** An unacknowledged request took effect completely or not at all. */
  private async halves(project: Project): Promise<string[]> {
    const { file, table } = this.unanswered
    const faults: string[] = []
    if (file && !this.files.has(file[0])) {
      const answer = await download(project, file[0])
      const isComplete = answer.status === 200 && Buffer.from(file[1]).equals(answer.bytes)
      if (!isComplete && answer.status !== 404) faults.push(`unanswered file ${file[0]}: ${answer.status}`)
    }
    if (table && !this.tables.has(table[0])) {
      const found = await new Tables(project).vals(table[0])
      const isComplete = Bun.deepEquals(found, table[1])
      if (!isComplete && (await new Tables(project).count(table[0])) > 0)
        faults.push(`table ${table[0]} is there in part`)
    }
    return faults
  }

  private async sendFile(project: Project): Promise<Outcome> {
    const length = this.random.chance(0.1) ? this.random.below(2_000_000) : this.random.below(30_000)
    const content = this.random.chance(0.2) ? this.someFile() : noise(length, this.random.below(2 ** 31))
    const digest = digestOf(content)
    this.unanswered = { file: [digest, content] }
    const answer = await upload(project, { content }).catch(() => undefined)
    if (answer === undefined) return 'unanswered'
    if (answer.status === 503) return 'unavailable'
    if (answer.status !== 200 || answer.json.digest !== digest) throw new Error(`${answer.status}: ${answer.text}`)
    this.files.set(digest, content)
    return 'stored'
  }

  private async create(project: Project): Promise<Outcome> {
    const rows = this.rows(this.random.chance(0.1) ? 3000 : 40)
    return await this.sendTable(rows, () => new Tables(project).askCreate(rows))
  }

  private async update(project: Project): Promise<Outcome> {
    const bases = [...this.tables]
    if (bases.length === 0) return await this.create(project)
    const [base, before] = bases[this.random.below(bases.length)]!
    const fresh = this.rows(this.random.chance(0.1) ? 2000 : 10)
    const takesOut = before.length > 0 && this.random.chance(0.3) ? [this.random.below(before.length)] : []
    const rows = [...before.filter((_, index) => !takesOut.includes(index)), ...fresh]
    const updates = [...takesOut.map(pop), ...fresh.map(append)]
    return await this.sendTable(rows, () => new Tables(project).askUpdate(base, updates))
  }

  private async sendTable(
    rows: readonly unknown[],
    ask: () => Promise<{ status: number; text: string }>,
  ): Promise<Outcome> {
    const digest = digestOfRows(rows.map(rowDigest))
    this.unanswered = { table: [digest, rows] }
    const answer = await ask().catch(() => undefined)
    if (answer === undefined) return 'unanswered'
    if (answer.status === 503) return 'unavailable'
    if (answer.status !== 200 || !answer.text.includes(digest)) throw new Error(`${answer.status}: ${answer.text}`)
    this.tables.set(digest, rows)
    return 'stored'
  }

  /** Mostly new rows; some are repeated. */
  private rows(countMax: number): unknown[] {
    return Array.from({ length: this.random.below(countMax) }, () =>
      this.random.chance(0.2) ? { same: this.random.below(20) } : { by: this.name, n: this.next++ },
    )
  }

  private someFile(): Uint8Array<ArrayBuffer> {
    const known = [...this.files.values()]
    return new Uint8Array(known[this.random.below(Math.max(1, known.length))] ?? [])
  }

  private projectOf(client: Client): Project {
    return new Project(client, 'crash', this.name)
  }
}
