import { closeSync, ftruncateSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Random } from '../../store/random.ts'
import { StoreBench } from '../../store/store-bench.ts'
import { type VisibleRow, visibleRows } from '../../store/visible-rows.ts'
import { unmountAll } from '../files/disks.ts'
import type { Report } from '../report.ts'
import { projects } from './oracle.ts'
import { TorturedStore } from './tortured-store.ts'
import { folderFaults } from './verify-notes.ts'

const damagesPerStore = 12
const kinds = ['flipped bit', 'flipped bit', 'zeroed sector', 'cut', 'removed', 'emptied'] as const

/**
 * A segment of the log that is gone as a whole, or cut at the end of a batch, looks like one that
 * was never written. docs/reliability.md says so.
 */
const isWholeLog = (name: string, what: string): boolean =>
  name.endsWith('.arrows') && ['removed', 'emptied', 'cut'].includes(what)

/** Files whose contents do not matter: they are written anew at every start. */
const rewritten = /(^|\/)(server\.json|lock\.duckdb)$/

/**
 * Damages one file of a copy of a folder at a time. The store may refuse to start or to read, or
 * answer rightly; what differs must be reported by the log, by a read or by `verify`.
 */
export class DamageRound {
  private readonly seed: number
  private readonly random: Random
  private readonly subject: TorturedStore
  private readonly report: Report

  constructor(seed: number, report: Report) {
    this.seed = seed
    this.report = report
    this.random = new Random(seed)
    this.subject = new TorturedStore(this.random)
  }

  async run(): Promise<void> {
    const { subject, random } = this
    try {
      await subject.open()
      for (let step = random.between(4, 12); step > 0; step--) {
        await subject.writer.write(subject.store, subject.bench.nowMs, random.below(3))
        if (random.chance(0.4)) await subject.store.flush()
        if (random.chance(0.1)) await subject.store.compact()
      }
      for (let count = 0; count < damagesPerStore; count++) await this.damage()
    } catch (cause) {
      subject.found.push(cause instanceof Error ? `${cause.message}\n${cause.stack}` : String(cause))
    }
    await subject.end()
    unmountAll()
    this.report.check('damaged files', subject.found, `bun run torture --only damage --seed ${this.seed} --count 1`)
  }

  private async damage(): Promise<void> {
    const { subject, random } = this
    const bench = await closedCopyOf(subject.bench)
    try {
      const files = readdirSync(bench.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => !rewritten.test(path) && statSync(path).size > 0)
      const file = random.pick(files)
      const what = `${random.pick(kinds)}`
      spoil(file, what, random)
      const name = file.slice(bench.folder.length + 1)
      const verified = await folderFaults(bench.folder)
      const isTold = verified.length > 0
      const outcome = await this.outcome(bench)
      this.report.add('faults')
      this.report.add(outcome === 'wrong' ? 'wrong reads that verify explains' : outcome)
      if (outcome === 'wrong' && !isTold && !isWholeLog(name, what))
        subject.found.push(`${what} of ${name}: wrong and not reported`)
      subject.did.push(`${what} of ${name}: ${outcome}, verify: ${verified[0] ?? 'nothing'}`)
    } finally {
      await bench[Symbol.asyncDispose]().catch(() => rmSync(bench.folder, { recursive: true, force: true }))
    }
  }

  private async outcome(bench: StoreBench): Promise<string> {
    const { oracle } = this.subject
    try {
      await bench.reopen()
    } catch {
      return 'refused starts'
    }
    const seen: VisibleRow[][] = []
    try {
      for (const project of projects) seen.push(await visibleRows(bench.store, undefined, project))
    } catch {
      return 'refused reads'
    }
    const isRight = isDeepStrictEqual(
      seen,
      projects.map((project) => oracle.visible(project)),
    )
    if (isRight) return 'without effect'
    return bench.entries(warnLevel).length > 0 ? 'reported in the log' : 'wrong'
  }
}

const warnLevel = 40

/** The store goes on in other threads, and may rename a file while it is being copied. */
async function closedCopyOf(bench: StoreBench, attempts = 10): Promise<StoreBench> {
  try {
    return await StoreBench.closedCopyOf(bench)
  } catch (cause) {
    if (attempts === 1 || !String(cause).includes('ENOENT')) throw cause
    return await closedCopyOf(bench, attempts - 1)
  }
}

function spoil(path: string, what: string, random: Random): void {
  if (what === 'removed') {
    rmSync(path)
    return
  }
  const file = openSync(path, 'r+')
  const { size } = statSync(path)
  if (what === 'cut' || what === 'emptied') ftruncateSync(file, what === 'cut' ? random.below(size) : 0)
  else {
    const at = random.below(size)
    const bytes = new Uint8Array(what === 'flipped bit' ? 1 : Math.min(512, size - at))
    if (what === 'flipped bit') {
      readSync(file, bytes, 0, 1, at)
      bytes[0]! ^= 1 << random.below(8)
    }
    writeSync(file, bytes, 0, bytes.byteLength, at)
  }
  closeSync(file)
}
