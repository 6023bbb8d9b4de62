import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsOf } from '../../cli/damage.ts'
import type { Client } from '../../conformance/support/client.ts'
import { exportOf, groupOf, send, spanOf } from '../../conformance/support/otlp.ts'
import { ServerChild, type ServerKind } from '../../crash/server-child.ts'
import { Expectation, Writer } from '../../faults/workload.ts'
import { Random } from '../../store/random.ts'
import type { Report } from '../report.ts'

const adminKey = 'd'.repeat(40)
const names = ['w0', 'w1']
const diskMiB = 64
const reservedMiB = 8
const recoveryMsMax = 60_000

/** Whether a file system in memory can be mounted here (Linux, root). */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tracelake-mount-'))
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
  if (isMounted) run('umount', '-l', folder)
  rmSync(folder, { recursive: true })
  return isMounted
}

/**
 * A real server on a real small disk that another program fills up and clears again: with a
 * reserve, or until nothing can be written any more. Sometimes it is killed and started meanwhile.
 */
export class FullDisk {
  private readonly seed: number
  private readonly random: Random
  private readonly report: Report
  private readonly folder = mkdtempSync(join(tmpdir(), 'tracelake-full-'))
  private readonly ballast = join(this.folder, 'ballast')
  private readonly data = join(this.folder, 'data')
  private readonly found: string[] = []
  private readonly expected = new Expectation()
  private readonly hasReserve: boolean
  private server!: ServerChild

  constructor(seed: number, report: Report) {
    this.seed = seed
    this.random = new Random(seed)
    this.hasReserve = this.random.chance(0.5)
    this.report = report
  }

  async run(): Promise<void> {
    if (!run('mount', '-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', this.folder)) throw new Error('Mount a tmpfs')
    try {
      await this.life()
    } catch (cause) {
      this.found.push(cause instanceof Error ? cause.message : String(cause))
    } finally {
      await this.server?.kill()
      run('umount', '-l', this.folder)
      rmSync(this.folder, { recursive: true, force: true })
    }
    const what = this.hasReserve ? 'a disk that fills up to the reserve' : 'a disk that fills up'
    this.report.add('full disks')
    this.report.check(what, this.found, `bun run torture --only disk --seed ${this.seed} --count 1`)
  }

  private async life(): Promise<void> {
    const { expected, random } = this
    mkdirSync(this.data)
    let client = await this.start('flushing')
    const writers = names.map((name) => new Writer(name, random))
    for (const writer of writers) this.demand((await writer.run(client, expected, 25)) === 25, 'a write failed before')
    this.server.beginFlushing()
    this.fill()
    // One writer after the other, so that each meets the full disk.
    for (const writer of writers) await this.untilRefused(writer, client)
    await this.fillAgain(writers, client)
    await this.checkWhileFull(client)
    if (random.chance(0.4)) {
      await this.server.kill()
      client = await this.start()
      this.report.add('starts on a full disk')
      this.found.push(...(await expected.differences(client, names)).map((line) => `restarted while full: ${line}`))
    }
    rmSync(this.ballast)
    this.demand(await isWellSoon(client), '/health did not recover by itself')
    for (const writer of writers)
      this.demand(
        (await writer.run(client, expected, 15)) === 15,
        `a write failed afterwards: ${writer.lastAnswer?.text}`,
      )
    await this.server.kill()
    client = await this.start()
    this.found.push(...(await expected.differences(client, names)))
    this.demand((await this.server.stop()) === 0, 'the server did not stop well')
    this.found.push(...(await faultsOf(this.data)))
  }

  private async start(kind: ServerKind = 'plain'): Promise<Client> {
    const env = { TRACELAKE_MIN_FREE_MB: String(this.hasReserve ? reservedMiB : 0) }
    this.server = new ServerChild({ kind, data: this.data, adminKey, env })
    return await this.server.listening()
  }

  /** Leaves a little less than the reserve, or next to nothing. */
  private fill(): void {
    const { bavail, bsize } = statfsSync(this.folder)
    const leave = this.hasReserve ? reservedMiB * 2 ** 20 - 65_536 : this.random.below(40) * 4096
    const bytes = new Uint8Array(Math.max(0, bavail * bsize - leave))
    try {
      appendFileSync(this.ballast, bytes)
    } catch {
      // The server writes meanwhile: what is there is enough, short of what is left free.
      truncateSync(this.ballast, Math.max(0, statSync(this.ballast).size - leave))
    }
  }

  /**
   * A flush that was in progress frees the space of its log. Writes then go on, which is right: the
   * disk is filled up once more.
   */
  private async fillAgain(writers: readonly Writer[], client: Client): Promise<void> {
    for (let times = 0; times < 5; times++) {
      if ((await client.get('/health')).status !== 200) return
      this.fill()
      for (const writer of writers) await this.untilRefused(writer, client)
    }
  }

  private async untilRefused(writer: Writer, client: Client): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      await writer.run(client, this.expected, 20)
      const answer = writer.lastAnswer
      if (answer === undefined) throw new Error('the server died')
      if (answer.status === 200) continue
      this.report.add('refused writes')
      this.demand(answer.status === 507, `a write was answered ${answer.status}: ${answer.text}`)
      const reason = this.hasReserve ? /disk is almost full/ : /disk is full/
      this.demand(reason.test(answer.text), `a write was refused with ${answer.text}`)
      this.demand(answer.text.includes('"InsufficientStorage"'), `a write was refused with ${answer.text}`)
      return
    }
    this.found.push('no write was refused')
  }

  private async checkWhileFull(client: Client): Promise<void> {
    const health = await client.get('/health')
    this.demand(health.status === 503 && /disk is/.test(health.text), `/health was ${health.status}: ${health.text}`)
    this.found.push(...(await this.expected.differences(client, names)).map((line) => `while full: ${line}`))
    const sent = await send(client, exportOf(groupOf([spanOf()])), 'protobuf', {
      headers: { project_id: 'faults/otlp' },
    })
    // Something small may still fit, and a flush may have freed the space of its log meanwhile.
    const mayBeTaken = async () => !this.hasReserve || (await isWellSoon(client))
    this.demand(
      sent.status === 503 || (sent.status === 200 && (await mayBeTaken())),
      `an export was answered ${sent.status}`,
    )
  }

  private demand(isSo: boolean, what: string): void {
    if (!isSo) this.found.push(what)
  }
}

async function isWellSoon(client: Client): Promise<boolean> {
  for (let waited = 0; waited < recoveryMsMax; waited += 250) {
    if ((await client.get('/health')).status === 200) return true
    await Bun.sleep(250)
  }
  return false
}

const run = (...words: string[]): boolean => Bun.spawnSync(words).exitCode === 0
