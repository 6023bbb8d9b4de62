import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Row } from '../../../src/lib/table.ts'
import { Random } from '../../store/random.ts'
import { StoreBench } from '../../store/store-bench.ts'
import { type VisibleRow, visibleRows } from '../../store/visible-rows.ts'
import type { Report } from '../report.ts'
import { differences } from './differences.ts'
import { type Batch, Oracle, projects } from './oracle.ts'
import { folderFaults } from './verify-notes.ts'

const livesPerFolder = 12
const lifeMsMax = 800
const operationsMax = 600
const killer = join(import.meta.dir, '../files/kill-program.ts')
const program = join(import.meta.dir, 'writer-program.ts')

type Said = { opened: true } | { marker: string; rows: Row[] } | { acknowledged: string }

/**
 * A folder through several lives of a process that writes to a store, each ended by SIGKILL: after
 * a random time, or at a file operation. After each life, a copy of the folder is opened and
 * compared with what the process had said.
 */
export class KilledStore {
  private readonly seed: number
  private readonly random: Random
  private readonly report: Report
  private readonly parent = mkdtempSync(join(tmpdir(), 'tracelake-killed-'))
  private readonly folder = join(this.parent, 'data')
  private readonly oracle = new Oracle()
  private markers = 0

  constructor(seed: number, report: Report) {
    this.seed = seed
    this.report = report
    this.random = new Random(seed)
  }

  async run(isOver: () => boolean): Promise<void> {
    const found: string[] = []
    let lives = 0
    try {
      for (; lives < livesPerFolder && found.length === 0 && !isOver(); lives++) found.push(...(await this.life()))
    } catch (cause) {
      found.push(cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause))
    }
    if (found.length === 0) rmSync(this.parent, { recursive: true })
    else found.push(`the folder is kept: ${this.parent}`)
    const repeat = `bun run torture --only processes --seed ${this.seed} --count 1`
    this.report.check(`${lives} kills of a process that writes`, found, repeat)
  }

  private async life(): Promise<string[]> {
    const { random, folder } = this
    const atOperation = random.chance(0.6) ? Math.ceil(operationsMax ** random.next()) : undefined
    const env = { ...process.env, TORTURE_KILL_AT: String(atOperation ?? 0), TORTURE_FOLDER: folder }
    const words = ['--preload', killer, program, folder, String(random.below(2 ** 31)), String(this.markers)]
    const child = Bun.spawn([process.execPath, ...words], { env, stdout: 'pipe', stderr: 'pipe' })
    const errors = new Response(child.stderr).text()
    const batches = new Map<string, Batch>()
    let late: ReturnType<typeof setTimeout> | undefined
    const killLater = () => {
      late ??= setTimeout(() => child.kill('SIGKILL'), random.below(lifeMsMax))
    }
    // A few die before they have opened the folder.
    if (atOperation === undefined && random.chance(0.2)) killLater()
    for await (const line of linesOf(child.stdout)) {
      const said = JSON.parse(line) as Said
      if ('opened' in said) killLater()
      else if ('marker' in said) batches.set(said.marker, { ...said, state: 'unanswered' })
      else batches.get(said.acknowledged)!.state = 'acknowledged'
    }
    await child.exited
    clearTimeout(late)
    this.report.add('kills')
    if (child.signalCode !== 'SIGKILL') return [`the process ended by itself: ${(await errors).slice(0, 2_000)}`]
    for (const batch of batches.values()) this.oracle.add(batch)
    this.markers += batches.size
    const acknowledged = [...batches.values()].filter(({ state }) => state === 'acknowledged').length
    this.report.add('acknowledged writes', acknowledged)
    return existsSync(folder) ? await this.compare() : []
  }

  /** The folder itself stays as the kill left it. */
  private async compare(): Promise<string[]> {
    const copy = join(this.parent, 'copy')
    cpSync(this.folder, copy, { recursive: true })
    await using bench = await StoreBench.openAt(copy)
    const seen = new Map<string, VisibleRow[]>()
    for (const project of projects) seen.set(project, await visibleRows(bench.store, undefined, project))
    this.oracle.settle([...seen.values()].flat())
    const found = projects.flatMap((project) => differences(seen.get(project)!, this.oracle.visible(project)))
    await bench.close()
    return [...found, ...(await folderFaults(copy))]
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of stream) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    // The last line may be incomplete: it was not said.
    rest = lines.pop()!
    yield* lines
  }
}
