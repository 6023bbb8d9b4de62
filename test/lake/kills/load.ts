import { join } from 'node:path'
import { Project } from '../../conformance/support/project.ts'
import { differences } from '../../crash/compare.ts'
import { ContentWorkload } from '../../crash/content-workload.ts'
import { Ledger } from '../../crash/ledger.ts'
import { SpanSender } from '../../crash/span-sender.ts'
import { Workload } from '../../crash/workload.ts'
import { Random } from '../../store/random.ts'
import { FeedbackSender } from './feedback-sender.ts'
import { adminKey } from './node-pair.ts'
import { RoamingClient, Waits } from './roaming-client.ts'

const writers = 3
const spanSenders = 2

export interface LoadOptions {
  readonly name: string
  /** Of the ledgers. */
  readonly folder: string
  readonly addresses: readonly string[]
  readonly random: Random
  /** Mean pause between two requests of a client. */
  readonly paceMs: number
}

/** Clients that write to the nodes for some time, and know what was accepted. */
export class Load {
  private readonly writers: readonly Workload[]
  private readonly spans: readonly SpanSender[]
  private readonly contents: ContentWorkload
  private readonly feedback: FeedbackSender
  private readonly clients: RoamingClient[] = []
  private readonly reader: RoamingClient
  /** A flush takes as long as writing all files does, which is no refusal. */
  private readonly flusher: RoamingClient
  private readonly running: Promise<unknown>
  private failure: unknown
  private exports = 0

  constructor({ name, folder, addresses, random, paceMs }: LoadOptions, waits: Waits) {
    const fork = () => new Random(random.below(2 ** 31))
    this.writers = Array.from({ length: writers }, (_, index) => {
      const ledger = new Ledger(`kills/${name}-w${index}`, join(folder, `ledger-${name}-${index}.jsonl`))
      return new Workload(`${name}-w${index}`, ledger, fork())
    })
    this.spans = Array.from({ length: spanSenders }, (_, index) => new SpanSender(`${name}-s${index}`, fork()))
    this.contents = new ContentWorkload(`${name}-c`, fork())
    this.feedback = new FeedbackSender(`${name}-f`)
    this.reader = new RoamingClient(addresses, adminKey, waits)
    this.flusher = new RoamingClient(addresses, adminKey, new Waits())
    const paces = fork()
    const client = () => {
      const made = new RoamingClient(addresses, adminKey, waits, () => paces.below(2 * paceMs))
      this.clients.push(made)
      return made
    }
    this.running = Promise.all([
      ...this.writers.map((writer) => writer.run(client())),
      ...this.spans.map((sender) => sender.run(client(), () => this.exports++)),
      this.contents.run(client()),
      this.feedback.run(client()),
    ]).catch((cause: unknown) => {
      this.failure = cause
    })
  }

  /** Accepted requests of all clients. */
  get accepted(): number {
    const requests = this.writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
    return requests + this.exports + this.contents.acknowledged + this.feedback.accepted
  }

  /** @throws the failure of a client, such as an unexpected status */
  assertRunning(): void {
    if (this.failure !== undefined) throw this.failure
  }

  async end(): Promise<void> {
    for (const client of this.clients) client.end()
    await this.running
    this.assertRunning()
  }

  /** What is lost, doubled, or otherwise not as it was accepted, one per line. */
  async faults(): Promise<string[]> {
    const found: string[] = []
    for (const writer of this.writers) found.push(...(await differences(this.reader, writer)))
    for (const sender of this.spans) found.push(...(await sender.differences(this.reader)))
    return [...found, ...(await this.contents.faults(this.reader)), ...(await this.feedback.differences(this.reader))]
  }

  /** The calls that must be there at the end, by project. */
  dueCalls(): Map<string, readonly string[]> {
    const ledgers = this.writers.map(
      ({ ledger }) => [ledger.projectId, ledger.ids.filter((id) => ledger.view(id) !== null)] as const,
    )
    const spans = this.spans.map((sender) => [sender.projectId, [...sender.acknowledged]] as const)
    return new Map([...ledgers, ...spans])
  }

  /** Writes rows to files, which a kill may then interrupt. */
  async flush(): Promise<void> {
    await this.flusher.post('/flush', {})
  }

  /** How many calls of each project tracelake counts. */
  async counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (const id of this.dueCalls().keys()) {
      const [entity = '', name = ''] = id.split('/')
      counts.set(id, (await new Project(this.reader, entity, name).stats()).count)
    }
    return counts
  }
}
