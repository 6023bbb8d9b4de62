import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryDuckDb } from './folder-state.ts'

type Action = Record<string, Record<string, unknown>>

/**
 * Another engine that writes to a Delta table, by the protocol alone and without any code of the
 * store.
 */
export class ForeignWriter {
  private readonly folder: string
  private files = 0

  constructor(tableFolder: string) {
    this.folder = tableFolder
  }

  get log(): string {
    return join(this.folder, '_delta_log')
  }

  get version(): number {
    return Math.max(...this.commits.map((name) => Number.parseInt(name, 10)))
  }

  /** Current adds by path. */
  get adds(): Map<string, Record<string, unknown>> {
    const adds = new Map<string, Record<string, unknown>>()
    for (const name of this.commits) {
      const actions = this.read(name)
      for (const { remove } of actions) if (remove) adds.delete(remove['path'] as string)
      for (const { add } of actions) if (add) adds.set(add['path'] as string, add)
    }
    return adds
  }

  /** The last protocol and metadata. */
  get description(): { protocol: Record<string, unknown>; metaData: Record<string, unknown> } {
    const found = { protocol: {}, metaData: {} }
    for (const name of this.commits)
      for (const { protocol, metaData } of this.read(name)) {
        if (protocol) found.protocol = protocol
        if (metaData) found.metaData = metaData
      }
    return found
  }

  commit(...actions: Action[]): void {
    this.commitAs(this.version + 1, actions)
  }

  private commitAs(version: number, actions: readonly Action[]): void {
    const name = `${String(version).padStart(20, '0')}.json`
    const info = { commitInfo: { operation: 'FOREIGN', engineInfo: 'another', timestamp: Date.now() } }
    // Complete as soon as it has its name, like the commits of engines.
    const temporary = join(this.folder, `${name}.foreign`)
    writeFileSync(temporary, [info, ...actions].map((action) => JSON.stringify(action)).join('\n'))
    try {
      linkSync(temporary, join(this.log, name))
    } finally {
      unlinkSync(temporary)
    }
  }

  /** Writes the rows of a query to a Parquet file and returns an add for it. */
  async write(
    sql: string,
    { stats, name, rowGroupRows }: { stats?: string; name?: string; rowGroupRows?: number } = {},
  ): Promise<Action> {
    const path = name ?? `part-0000${this.files++}-${crypto.randomUUID()}-c000.snappy.parquet`
    await queryDuckDb(
      `SET TimeZone = 'UTC'; COPY (${sql}) TO '${join(this.folder, path)}' (FORMAT parquet${rowGroupRows === undefined ? '' : `, ROW_GROUP_SIZE ${rowGroupRows}`})`,
    )
    return this.add(path, stats)
  }

  add(path: string, stats?: string): Action {
    const size = statSync(join(this.folder, path)).size
    return {
      add: {
        path,
        partitionValues: {},
        size,
        modificationTime: Date.now(),
        dataChange: true,
        ...(stats !== undefined && { stats }),
      },
    }
  }

  remove(path: string, more: Record<string, unknown> = {}): Action {
    return { remove: { path, deletionTimestamp: Date.now(), dataChange: true, ...more } }
  }

  /** A FROM item over the current files. */
  get source(): string {
    return `read_parquet([${[...this.adds.keys()].map((path) => `'${join(this.folder, path)}'`).join(', ')}], union_by_name = true)`
  }

  /** Merges all files into one, again if another commit replaces some of them meanwhile. */
  async optimize(options: { rowGroupRows?: number } = {}): Promise<void> {
    while (!this.tryCommit(await this.replacement(options)));
  }

  /** Commits unless the files to be removed are no longer there, or another commit comes first. */
  private tryCommit(actions: readonly Action[]): boolean {
    const version = this.version + 1
    const { adds } = this
    const isCurrent = actions.every(({ remove }) => remove === undefined || adds.has(remove['path'] as string))
    try {
      if (isCurrent) this.commitAs(version, actions)
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== 'EEXIST') throw cause
      return this.tryCommit(actions)
    }
    if (!isCurrent)
      for (const { add } of actions) if (add !== undefined) unlinkSync(join(this.folder, add['path'] as string))
    return isCurrent
  }

  /** The actions that replace all files by one existing file. */
  async replacement(options: { rowGroupRows?: number } = {}): Promise<Action[]> {
    const before = [...this.adds.keys()]
    const one = await this.write(`FROM ${this.source}`, options)
    const removes = before.map((path) => this.remove(path, { dataChange: false }))
    return [...removes, { add: { ...one['add'], dataChange: false } }]
  }

  /** Deletes rows by writing the remaining ones. */
  async delete(where: string): Promise<void> {
    const before = [...this.adds.keys()]
    const left = await this.write(`FROM ${this.source} WHERE NOT (${where})`)
    this.commit(...before.map((path) => this.remove(path)), left)
  }

  /** Deletes Parquet files that are not current, like VACUUM without retention. */
  vacuum(): void {
    const current = this.adds
    for (const name of readdirSync(this.folder))
      if (name.endsWith('.parquet') && !name.startsWith('_') && !current.has(name))
        rmSync(join(this.folder, name), { force: true })
  }

  private get commits(): string[] {
    if (!existsSync(this.log)) return []
    return readdirSync(this.log)
      .filter((name) => /^\d{20}\.json$/.test(name))
      .sort()
  }

  private read(name: string): Action[] {
    const lines = readFileSync(join(this.log, name), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Action)
  }
}
