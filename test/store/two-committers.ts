import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Action, Add } from '../../src/engine/delta/actions.ts'
import { commitText } from '../../src/engine/delta/commit-file.ts'
import { type DeltaFiles, deltaFilesOfFolder } from '../../src/engine/delta/delta-files.ts'
import { DeltaLog } from '../../src/engine/delta/delta-log.ts'
import { fileKey } from '../../src/engine/delta/delta-state.ts'
import { commitFiles, replacing } from '../../src/engine/table/commit-files.ts'
import { compactionActions } from '../../src/engine/table/compactor.ts'
import { type CommittedFile, type FileChange, FileCommits } from '../../src/engine/table/file-commits.ts'
import { flushActions, flushing } from '../../src/engine/table/flush.ts'
import type { Writer } from '../../src/runtime/duck/writer.ts'
import { type PutIfAbsent, putIfAbsent } from '../../src/runtime/platform/files/durable-files.ts'
import type { Random } from './random.ts'

type Rows = Map<string, number>

/**
 * The store's committer and another one on one Delta log, with files of keys and numbers instead of
 * Parquet. The other one acts between any two steps of the first, and sees the table through the
 * protocol alone. The store itself flushes while it compacts, and the other way round.
 */
export class TwoCommitters {
  private readonly random: Random
  private readonly folder: string
  private readonly duck: Writer
  private readonly write: PutIfAbsent
  /** What every reader should find once everything is committed. */
  private readonly oracle: Rows = new Map()
  private files: readonly CommittedFile[] = []
  private commits!: FileCommits<CommittedFile>
  /** Rows in memory; null is a tombstone. The sealed ones are being committed. */
  private active = new Map<string, number | null>()
  private sealed: Map<string, number | null> | undefined
  /** Keys whose rows in files are outdated. */
  private activeMask = new Set<string>()
  private sealedMask = new Set<string>()
  private isCompacting = false
  private walSegment = 0
  private named = 0
  readonly did: string[] = []

  constructor(options: { random: Random; folder: string; duck: Writer; write?: PutIfAbsent }) {
    this.random = options.random
    this.folder = options.folder
    this.duck = options.duck
    this.write = options.write ?? putIfAbsent
  }

  /** @returns the faults at the end, one per line */
  async run(): Promise<string[]> {
    mkdirSync(this.log, { recursive: true })
    const metaData = { id: 'i', format: { provider: 'parquet' }, schemaString: '{"fields":[]}', partitionColumns: [] }
    const first = [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, { metaData }] as unknown as Action[]
    writeFileSync(this.commitFile(0), linesOf(first))
    await this.open()
    for (let row = 0; row < 4; row++) this.change()
    await this.flush()
    for (let steps = this.random.between(4, 9); steps > 0; steps--) await this.step()
    // Rows may be written while a flush is under way.
    while (this.active.size > 0) await this.flush()
    return this.faults()
  }

  private get log(): string {
    return join(this.folder, '_delta_log')
  }

  private commitFile(version: number): string {
    return join(this.log, `${String(version).padStart(20, '0')}.json`)
  }

  /** Opens the log as at startup. */
  private async open(): Promise<void> {
    const commit: DeltaFiles['commit'] = async (file, actions) => {
      // Files are checked just before. A vacuum at this moment is what its retention protects
      // against.
      this.maybeOther(0.3, 'but no clean-up')
      return await this.write(file, commitText(actions))
    }
    const deltaLog = await DeltaLog.open(this.duck, this.log, { ...deltaFilesOfFolder, commit })
    this.files = deltaLog.state.files.map(({ add }) => ({ add }))
    this.commits = new FileCommits({
      deltaLog,
      followConnection: this.duck,
      log: pino({ level: 'silent' }),
      table: {
        files: () => this.files,
        open: async (state, known) => {
          const open = new Map(known.map((file) => [fileKey(file.add), file]))
          for (const { add } of state.files) if (!existsSync(join(this.folder, add.path))) throw new Error('missing')
          return state.files.map(({ add }) => open.get(fileKey(add)) ?? { add })
        },
        follow: async (change) => this.follow(change),
        refusal: () => undefined,
        assertHeld: async () => {},
      },
    })
  }

  private async step(): Promise<void> {
    const choice = this.random.next()
    if (choice < 0.35) this.change()
    else if (choice < 0.6) await this.flush()
    else if (choice < 0.75) await this.compact()
    else if (choice < 0.95) this.maybeOther(1)
    else if (choice < 0.98) await this.commits.follow()
    else await this.checkpoint()
  }

  // Actions of the store.

  private change(): void {
    const known = this.hotAndFileKeys()
    const key = known.length > 0 && this.random.chance(0.5) ? this.random.pick(known) : `own-${this.named++}`
    const value = this.random.chance(0.25) && known.includes(key) ? null : this.random.below(1e9)
    this.did.push(`store ${value === null ? 'deletes' : 'writes'} ${key}`)
    if (this.sealed?.has(key) || this.files.some((file) => this.rowsOf(file).has(key))) this.activeMask.add(key)
    this.active.set(key, value)
    if (value === null) this.oracle.delete(key)
    else this.oracle.set(key, value)
  }

  private hotAndFileKeys(): string[] {
    const keys = new Set<string>()
    for (const file of this.files) for (const key of this.rowsOf(file).keys()) keys.add(key)
    for (const rows of [this.sealed ?? new Map<string, number | null>(), this.active])
      for (const [key, value] of rows) value === null ? keys.delete(key) : keys.add(key)
    return [...keys]
  }

  private async flush(): Promise<void> {
    if (this.active.size === 0 || this.sealed !== undefined) return
    this.did.push('store flushes')
    this.sealed = this.active
    this.sealedMask = this.activeMask
    this.active = new Map()
    this.activeMask = new Set()
    const border = { application: 'tracelake/wal', number: ++this.walSegment }
    const sealed = this.sealed
    const steps = {
      affected: async (files: readonly CommittedFile[]) =>
        files.filter((file) => [...this.rowsOf(file).keys()].some((key) => this.sealedMask.has(key))),
      rewrite: async (file: CommittedFile) => {
        await this.maybeCompact()
        const made = this.rewrite(file)
        await this.maybeCompact()
        return made
      },
      writeFresh: async () => {
        await this.maybeCompact()
        const rows = [...sealed].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))
        return [this.make(new Map(rows)) ?? []].flat()
      },
    }
    await commitFiles(this.commits, this.fileSteps, {
      plan: flushing(steps),
      isDone: (state) => (state.transaction(border.application) ?? -1) >= border.number,
      actions: (plan) => flushActions(plan, { border, nowMs: Date.now() }),
      publish: async ({ dataFiles }) => {
        this.files = dataFiles
        this.sealed = undefined
      },
    })
  }

  /** As one file, or as two with half of the keys each. */
  private rewrite(file: CommittedFile): CommittedFile[] {
    const rows = [...this.rowsOf(file)].filter(([key]) => !this.sealedMask.has(key))
    const half = this.random.chance(0.5) ? rows.length : Math.floor(rows.length / 2)
    return [rows.slice(0, half), rows.slice(half)].flatMap((part) => this.make(new Map(part)) ?? [])
  }

  private async compact(): Promise<void> {
    const chosen = this.files.filter(() => this.random.chance(0.7))
    if (chosen.length < 2 || this.isCompacting) return
    this.isCompacting = true
    this.did.push(`store compacts ${chosen.length}`)
    const merge = async () => {
      await this.maybeFlush()
      const rows: Rows = new Map()
      let count = 0
      for (const file of chosen) for (const [key, value] of this.rowsOf(file)) rows.set(key, value) && count++
      if (rows.size !== count) this.did.push('a key twice')
      const made = [this.make(rows) ?? []].flat()
      await this.maybeFlush()
      return made
    }
    await commitFiles(this.commits, this.fileSteps, {
      plan: replacing(chosen, merge),
      actions: (plan) => compactionActions(plan, Date.now()),
      publish: async ({ dataFiles }) => {
        this.files = dataFiles
      },
    }).finally(() => {
      this.isCompacting = false
    })
  }

  private async maybeFlush(): Promise<void> {
    if (!this.random.chance(0.4)) return
    this.change()
    await this.flush()
  }

  private async maybeCompact(): Promise<void> {
    if (this.random.chance(0.2)) await this.compact()
  }

  private async checkpoint(): Promise<void> {
    this.did.push('a checkpoint, by whomever, and the log before it goes')
    await this.commits.follow()
    const { state } = this.commits.deltaLog
    this.atCheckpoint = { version: state.version, files: state.files.map(({ add }) => add) }
    await this.commits.deltaLog.checkpoint(this.duck, {
      nowMs: Number.MAX_SAFE_INTEGER,
      logKeptMs: 0,
      versionsKeptMs: 0,
    })
    for (const name of readdirSync(this.log))
      if (/^\d+\.json$/.test(name) && Number.parseInt(name, 10) < this.commits.deltaLog.state.version)
        rmSync(join(this.log, name))
  }

  private readonly fileSteps = {
    exists: async ({ add }: CommittedFile) => existsSync(join(this.folder, add.path)),
    discard: async ({ add }: CommittedFile) => rmSync(join(this.folder, add.path), { force: true }),
    settle: async () => {},
  }

  private follow({ dataFiles }: FileChange<CommittedFile>): void {
    const known = new Set(this.files)
    for (const file of dataFiles.filter((file) => !known.has(file) && file.add.dataChange))
      for (const key of this.rowsOf(file).keys()) {
        if (this.active.has(key)) this.activeMask.add(key)
        if (this.sealed?.has(key)) this.sealedMask.add(key)
      }
    this.files = dataFiles
  }

  private make(rows: Rows): CommittedFile | undefined {
    this.maybeOther(0.15)
    if (rows.size === 0) return undefined
    const add = this.newFile(rows)
    this.maybeOther(0.15)
    return { add }
  }

  // Actions of the other one: everything at once, and by the log alone.

  private maybeOther(probability: number, except?: 'but no clean-up'): void {
    if (!this.random.chance(probability)) return
    const choice = this.random.next()
    if (choice < 0.25) this.otherAppends()
    else if (choice < 0.5) this.otherChanges('deletes')
    else if (choice < 0.6) this.otherChanges('updates')
    else if (choice < 0.8) this.otherOptimizes()
    else if (choice < 0.95) except ?? this.otherVacuums()
    else this.otherCommits([{ commitInfo: { operation: 'SET TBLPROPERTIES' } }])
  }

  private otherAppends(): void {
    const key = `other-${this.named++}`
    const value = this.random.below(1e9)
    this.did.push(`other appends ${key}`)
    this.oracle.set(key, value)
    this.otherCommits([{ add: this.newFile(new Map([[key, value]])) }])
  }

  private otherChanges(what: 'deletes' | 'updates'): void {
    const inForce = this.inForce()
    const keys = [...inForce.values()].flatMap((add) => [...this.rowsOf({ add }).keys()])
    if (keys.length === 0) return
    const key = this.random.pick(keys)
    const value = this.random.below(1e9)
    this.did.push(`other ${what} ${key}`)
    const actions: Action[] = []
    for (const add of inForce.values()) {
      const rows = this.rowsOf({ add })
      if (!rows.has(key)) continue
      if (what === 'deletes') rows.delete(key)
      else rows.set(key, value)
      actions.push(removing(add, true))
      if (rows.size > 0) actions.push({ add: this.newFile(rows) })
    }
    this.otherCommits(actions)
    // The store's row in memory is newer.
    if (this.active.has(key) || this.sealed?.has(key)) return
    if (what === 'deletes') this.oracle.delete(key)
    else this.oracle.set(key, value)
  }

  private otherOptimizes(): void {
    const adds = [...this.inForce().values()]
    if (adds.length < 2) return
    this.did.push('other optimizes')
    const rows: Rows = new Map(adds.flatMap((add) => [...this.rowsOf({ add })]))
    const one = { ...this.newFile(rows), dataChange: false }
    this.otherCommits([...adds.map((add) => removing(add, false)), { add: one }])
  }

  private otherVacuums(): void {
    this.did.push('other vacuums')
    const inForce = this.inForce()
    for (const name of readdirSync(this.folder))
      if (name.endsWith('.parquet') && !inForce.has(name)) rmSync(join(this.folder, name))
  }

  private otherCommits(actions: readonly Action[]): void {
    const versions = readdirSync(this.log).map((name) => Number.parseInt(name, 10))
    const next = Math.max(...versions.filter(Number.isFinite)) + 1
    writeFileSync(this.commitFile(next), linesOf(actions), { flag: 'wx' })
  }

  /** Current files by path, replayed by the protocol. */
  private inForce(): Map<string, Add['add']> {
    const adds = new Map<string, Add['add']>()
    const names = readdirSync(this.log).sort()
    const commits = names.filter((name) => /^\d+\.json$/.test(name))
    // If commits have disappeared there is a checkpoint, just written by the store.
    if (!commits.includes(`${'0'.repeat(20)}.json`)) return this.inForceSinceCheckpoint(commits)
    for (const name of commits) this.replay(name, adds)
    return adds
  }

  private inForceSinceCheckpoint(commits: readonly string[]): Map<string, Add['add']> {
    const adds = new Map(this.atCheckpoint.files.map((add) => [add.path, add]))
    for (const name of commits) if (Number.parseInt(name, 10) > this.atCheckpoint.version) this.replay(name, adds)
    return adds
  }

  private atCheckpoint: { version: number; files: readonly Add['add'][] } = { version: -1, files: [] }

  private replay(name: string, adds: Map<string, Add['add']>): void {
    const actions = readFileSync(join(this.log, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Action)
    for (const action of actions) if ('remove' in action) adds.delete(action.remove.path)
    for (const action of actions) if ('add' in action) adds.set(action.add.path, action.add)
  }

  // Files.

  private newFile(rows: Rows): Add['add'] {
    const path = `file-${this.named++}.parquet`
    writeFileSync(join(this.folder, path), JSON.stringify([...rows]))
    const stats = JSON.stringify({ numRecords: rows.size })
    return { path, partitionValues: {}, size: rows.size, modificationTime: 1, dataChange: true, stats }
  }

  private rowsOf({ add }: CommittedFile): Rows {
    const known = this.contents.get(add.path)
    if (known !== undefined) return new Map(known)
    const rows = JSON.parse(readFileSync(join(this.folder, add.path), 'utf8')) as [string, number][]
    this.contents.set(add.path, rows)
    return new Map(rows)
  }

  private readonly contents = new Map<string, [string, number][]>()

  private faults(): string[] {
    const faults: string[] = []
    const found: Rows = new Map()
    for (const add of this.inForce().values()) {
      if (!existsSync(join(this.folder, add.path))) faults.push(`${add.path} is named and missing`)
      for (const [key, value] of this.rowsOf({ add })) {
        if (found.has(key)) faults.push(`${key} is there twice`)
        found.set(key, value)
      }
    }
    for (const [key, value] of this.oracle)
      if (found.get(key) !== value) faults.push(`${key} is ${found.get(key) ?? 'lost'}, not ${value}`)
    for (const key of found.keys()) if (!this.oracle.has(key)) faults.push(`${key} was deleted and is there`)
    return faults
  }
}

const removing = (add: Add['add'], dataChange: boolean): Action => ({
  remove: { path: add.path, deletionTimestamp: Date.now(), dataChange },
})

const linesOf = (actions: readonly Action[]): string => actions.map((action) => `${JSON.stringify(action)}\n`).join('')
