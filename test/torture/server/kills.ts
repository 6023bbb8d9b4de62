import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf } from '../../cli/damage.ts'
import type { Client } from '../../conformance/support/client.ts'
import { differences } from '../../crash/compare.ts'
import { Ledger } from '../../crash/ledger.ts'
import { ServerChild } from '../../crash/server-child.ts'
import { SpanSender } from '../../crash/span-sender.ts'
import { Workload } from '../../crash/workload.ts'
import { Random } from '../../store/random.ts'
import type { Report } from '../report.ts'

const adminKey = 'k'.repeat(40)
const preload = join(import.meta.dir, '../files/kill-program.ts')
const livesPerFolder = 10
const loadMsMax = 1_500
/** A kill at a file operation may come late; then the server is killed after the load. */
const operationsMax = 3_000

/**
 * One data folder through several lives of a real server, each ended by SIGKILL: after a random
 * time, during the start, or at a file operation. Two writers send calls as JSON, two spans over
 * OTLP.
 */
export class KilledFolder {
  private readonly seed: number
  private readonly random: Random
  private readonly parent = mkdtempSync(join(tmpdir(), 'tracelake-kills-'))
  private readonly data = join(this.parent, 'data')
  private readonly calls: readonly Workload[]
  private readonly spans: readonly SpanSender[]
  private readonly report: Report

  constructor(seed: number, report: Report) {
    this.seed = seed
    this.report = report
    this.random = new Random(seed)
    const fresh = () => new Random(this.random.below(2 ** 31))
    this.calls = [0, 1].map((index) => {
      const ledger = new Ledger(`torture/writer-${index}`, join(this.parent, `ledger-${index}.jsonl`))
      return new Workload(`w${index}`, ledger, fresh())
    })
    this.spans = [0, 1].map((index) => new SpanSender(`sender-${index}`, fresh()))
  }

  /** Kills until `isOver` or until the folder has had its lives; then the folder is verified. */
  async run(isOver: () => boolean): Promise<void> {
    const found: string[] = []
    let lives = 0
    try {
      for (; lives < livesPerFolder && found.length === 0 && !isOver(); lives++) found.push(...(await this.life()))
      found.push(...(await this.ending()))
    } catch (cause) {
      found.push(cause instanceof Error ? cause.message : String(cause))
    }
    const acknowledged = this.spans.reduce((sum, sender) => sum + sender.acknowledged.size, 0)
    this.report.add('acknowledged spans', acknowledged)
    this.report.add(
      'acknowledged requests for calls',
      this.calls.reduce((sum, one) => sum + one.acknowledged, 0),
    )
    if (found.length === 0) rmSync(this.parent, { recursive: true })
    else found.push(`the folder is kept: ${this.parent}`)
    this.report.check(
      `${lives} kills of one folder`,
      found,
      `bun run torture --only kills --seed ${this.seed} --count 1`,
    )
  }

  private async life(): Promise<string[]> {
    const { random } = this
    const atOperation = random.chance(0.5) ? Math.ceil(operationsMax ** random.next()) : undefined
    const env: Record<string, string> =
      atOperation === undefined ? {} : { TORTURE_KILL_AT: String(atOperation), TORTURE_FOLDER: this.data }
    const kind = random.chance(0.8) ? 'flushing' : 'plain'
    const server = new ServerChild({ kind, data: this.data, adminKey, env, ...(atOperation && { preload }) })
    if (atOperation === undefined && random.chance(0.2)) {
      await Bun.sleep(random.below(1_200))
      await server.kill()
      this.report.add('kills during a start')
      this.report.add('kills')
      return []
    }
    const client = await server.listening().catch((cause: unknown) => {
      if (atOperation === undefined) throw cause
    })
    if (client === undefined) {
      this.report.add('kills at a file operation')
      this.report.add('kills')
      return []
    }
    const found = await this.load(server, client, atOperation !== undefined)
    const log = await server.kill()
    this.report.add('kills')
    return [...found, ...log.split('\n').filter((line) => /"level":"error"|damaged/.test(line))]
  }

  /** Compares what is there, then writes until the server is dead. */
  private async load(server: ServerChild, client: Client, killsItself: boolean): Promise<string[]> {
    let isDead = false
    server.exited.then(() => {
      isDead = true
    })
    let found: string[] = []
    try {
      found = await this.compare(client)
      for (const workload of this.calls) await workload.repeat(client)
    } catch (cause) {
      if (!killsItself) throw cause
      await Promise.race([server.exited, Bun.sleep(5_000)])
      if (!isDead) throw cause
      this.report.add('kills at a file operation')
      // What was read of a dying server does not count.
      return []
    }
    if (found.length > 0) return found
    server.beginFlushing()
    const loads = Promise.all([...this.calls, ...this.spans].map((writer) => writer.run(client)))
    await Promise.race([Bun.sleep(50 + this.random.below(loadMsMax)), loads])
    if (isDead) this.report.add('kills at a file operation')
    await server.kill()
    await loads
    return []
  }

  private async compare(client: Client): Promise<string[]> {
    const found: string[] = []
    for (const workload of this.calls) found.push(...(await differences(client, workload)))
    for (const sender of this.spans) found.push(...(await sender.differences(client)))
    return found
  }

  /** A last life that ends well. */
  private async ending(): Promise<string[]> {
    const server = new ServerChild({ kind: 'plain', data: this.data, adminKey })
    try {
      const found = await this.compare(await server.listening())
      if ((await server.stop()) !== 0) found.push('the server did not stop well')
      return [...found, ...(await faultsOf(this.data))]
    } finally {
      await server.kill()
    }
  }
}
