import { forEachConcurrent } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import type { Table } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { fetchingAhead } from '../../runtime/platform/without-waiting.ts'
import { type DataFile, timeBoundsOf, withinBounds } from '../data-files/data-file.ts'
import { unloadedFilters } from '../data-files/deferred-filter.ts'
import type { TableLayout } from '../layout.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import type { LakeFiles } from './lake-files.ts'

/** A table of which something is fetched ahead. */
export interface PrefetchedTable {
  readonly table: Table
  readonly layout: TableLayout
  readonly dataFiles: readonly DataFile[]
}

interface PrefetchOptions {
  readonly files: LakeFiles
  readonly parquet: ParquetFiles
  readonly tables: () => readonly PrefetchedTable[]
  readonly log: Log
}

/**
 * Fetches in the background what the first questions to a node would wait for: sizes of indexes,
 * the footers, indexes and last row groups of the newest files, and Bloom filters of files whose
 * ids are in no order. See docs/decisions/281-cold-reads-of-a-lake.md.
 */
export class Prefetch {
  /** Whether it has ended. */
  isDone = false
  private readonly options: PrefetchOptions
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private filters = 0
  private saidMs = 0

  constructor(options: PrefetchOptions) {
    this.options = options
  }

  start(): void {
    this.running ??= fetchingAhead(() => this.run())
  }

  /** Ends it once the requests that are underway have ended. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async run(): Promise<void> {
    const { log, files } = this.options
    const startMs = performance.now()
    this.saidMs = startMs
    const tables = this.options.tables().filter(({ dataFiles }) => dataFiles.length > 0)
    try {
      for (const one of tables) await this.bringNewest(one)
      for (const one of tables) await this.loadFilters(one)
      const { prefetchedBytes } = files.cache.counts
      const ms = Math.round(performance.now() - startMs)
      if (prefetchedBytes > 0) log.info({ bytes: prefetchedBytes, filters: this.filters, ms }, 'fetched ahead')
    } catch (err) {
      // What is still missing is fetched by the reads that need it.
      if (!this.stopping.signal.aborted) log.warn({ err }, 'stopped fetching ahead')
    } finally {
      this.isDone = true
    }
  }

  private async bringNewest({ table, layout, dataFiles }: PrefetchedTable): Promise<void> {
    const { files, parquet } = this.options
    const newest = newestFirst(table, dataFiles).slice(0, lakeLimits.prefetchedFilesMax)
    await files.listIndexes(layout.index(newest[0]?.fileName ?? ''))
    for (const { fileName } of newest) {
      if (this.isEnough) return
      await this.ifCurrent(table, fileName, async () => {
        await files.fetchSmall(layout.index(fileName))
        await parquet.read(layout.parquet(fileName), this.stopping.signal, async (file) => {
          const readable = table.columns.flatMap(({ name }) => (file.footer.typeOf(name) === undefined ? [] : [name]))
          if (file.footer.groups > 0) await file.bring(readable, file.footer.groups - 1)
        })
      })
      this.sayHowFar()
    }
  }

  private async loadFilters({ table, layout, dataFiles }: PrefetchedTable): Promise<void> {
    const { filters } = this.options.files
    const newest = newestFirst(table, dataFiles)
    if (dataFiles.length <= lakeLimits.filesWithoutFilterMax || areInOrder(table, newest)) return
    let bytesLeft = filters.bytesMax * lakeLimits.prefetchedFiltersShareMax
    await forEachConcurrent(newest, lakeLimits.prefetchedAtOnce, async (dataFile) => {
      if (this.isEnough || bytesLeft <= 0) return
      for (const filter of unloadedFilters([dataFile])) {
        await this.ifCurrent(table, dataFile.fileName, async () => {
          await filter.load()
          this.filters++
        })
      }
      bytesLeft -= filters.get(layout.index(dataFile.fileName))?.byteLength ?? 0
      this.sayHowFar()
    })
  }

  /** Brings something of a file. It may fail if the table has replaced the file meanwhile. */
  private async ifCurrent(table: Table, fileName: string, bring: () => Promise<void>): Promise<void> {
    try {
      await bring()
    } catch (cause) {
      const current = this.options.tables().find((one) => one.table === table)
      if (current?.dataFiles.some((dataFile) => dataFile.fileName === fileName)) throw cause
    }
  }

  /** @throws the reason of the signal when it is to stop */
  private get isEnough(): boolean {
    this.stopping.signal.throwIfAborted()
    const { prefetchedBytes, bytesMax } = this.options.files.cache.counts
    return prefetchedBytes > bytesMax * lakeLimits.prefetchedShareMax
  }

  private sayHowFar(): void {
    if (performance.now() - this.saidMs < lakeLimits.openingSaidMs) return
    this.saidMs = performance.now()
    const { log, files } = this.options
    log.info({ bytes: files.cache.counts.prefetchedBytes, filters: this.filters }, 'fetching ahead')
  }
}

const newestFirst = (table: Table, dataFiles: readonly DataFile[]): DataFile[] =>
  dataFiles.toSorted((a, b) => timeBoundsOf(table, b)[1] - timeBoundsOf(table, a)[1] || 0)

/**
 * Whether the bounds of the files leave few of them for an id, as with ids that begin with the
 * time. Then filters are not worth fetching.
 */
function areInOrder(table: Table, dataFiles: readonly DataFile[]): boolean {
  const [projectColumn] = table.key
  const columns = table.filtered.filter((name) => table.bounded.includes(name))
  return dataFiles.slice(0, lakeLimits.prefetchedFilesMax).every(({ statistics: { minValues } }) => {
    const project = String(minValues[projectColumn])
    return columns.every((column) => {
      const [, ...others] = dataFiles.filter(
        (other) =>
          withinBounds(other, projectColumn, project) && withinBounds(other, column, String(minValues[column])),
      )
      return others.length < lakeLimits.filesWithoutFilterMax
    })
  })
}
