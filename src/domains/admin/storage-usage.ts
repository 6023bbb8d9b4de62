import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { filesTable } from '../../engine/tables/files-table.ts'
import { objectsTable } from '../../engine/tables/objects-table.ts'
import { tableRows } from '../../engine/tables/stored-tables.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt, present } from '../../lib/present.ts'
import type { Cell, Table } from '../../lib/table.ts'
import { formatTime } from '../../lib/time.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import {
  compileDailyBytes,
  compileProjectBytes,
  compileUploads,
  type DayBytes,
  type Uploads,
} from '../../query/sql/projects.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { findDiskSpace } from '../../runtime/platform/files/files.ts'
import type { ProjectsReader } from '../access/index.ts'
import type { Storage } from './model/admin.ts'

/** Tables whose rows state the bytes that a client sent, and in which column. */
const measured = [
  { table: callsTable, column: 'payload_bytes' },
  { table: objectsTable, column: 'size_bytes' },
  { table: tableRows, column: 'size_bytes' },
  { table: filesTable, column: 'size_bytes' },
] as const

const days = 30
const dayMicros = 86_400_000_000

/** Storage used, by table, project and day. */
export class StorageUsage {
  private readonly store: Store
  private readonly clock: Clock
  private readonly place: string
  private readonly diskFolder: string | undefined

  /** @param options.diskFolder on the disk that fills up; undefined if there is none */
  constructor(options: { store: Store; clock: Clock; place: string; diskFolder: string | undefined }) {
    this.store = options.store
    this.clock = options.clock
    this.place = options.place
    this.diskFolder = options.diskFolder
  }

  async usage(
    { scopes }: ProjectsReader,
    limit: number = operationLimits.projectsListedDefault,
    signal: AbortSignal,
  ): Promise<Storage> {
    const nowMicros = this.clock.nowMs() * 1000
    const today = Math.floor(nowMicros / dayMicros) * dayMicros
    const names = measured.map(({ table }) => table.name)
    const found = await this.store.readProjects(names, signal, async (snapshot) => {
      const relationOf = (name: string) => snapshot.relationOfProjects(name)
      const kinds = measured.map(({ table, column }) => ({ relation: relationOf(table.name), column }))
      const since = today - (days - 1) * dayMicros
      return {
        projects: await snapshot.rows(compileProjectBytes(scopes, kinds, limit + 1)),
        daily: await snapshot.rows(compileDailyBytes(scopes, relationOf(callsTable.name), since)),
        uploads: await snapshot.rows(compileUploads(scopes, relationOf(filesTable.name))),
      }
    })
    const tables = [...(await this.tables()), uploadsOf(itemAt(found.uploads, 0))]
    const disk = this.diskFolder === undefined ? undefined : await findDiskSpace(this.diskFolder)
    return {
      folder: this.place,
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
      disk_bytes: disk?.bytes ?? null,
      disk_free_bytes: disk?.freeBytes ?? null,
      measured_at: formatTime(nowMicros),
      tables,
      projects: found.projects.slice(0, limit).map((row) => projectOf(row, tables)),
      has_more: found.projects.length > limit,
      days: everyDay(found.daily, today),
    }
  }

  private async tables(): Promise<Storage['tables']> {
    const { tables } = await this.store.stats()
    return tables.map((table) => ({
      name: table.table,
      rows: table.fileRows,
      files: table.files,
      bytes: table.fileBytes,
      memory_rows: table.memtableRows,
      memory_bytes: table.memtableBytes,
      damaged_files: table.damagedFiles,
    }))
  }
}

function uploadsOf({ files, bytes }: Uploads): Storage['tables'][number] {
  return { name: 'uploads', rows: files, files, bytes, memory_rows: 0, memory_bytes: 0, damaged_files: 0 }
}

/** A project, and its estimated share of the files of the measured tables. */
function projectOf(
  [projectId, calls, bytes, ...sums]: readonly Cell[],
  tables: Storage['tables'],
): Storage['projects'][number] {
  // The sums of the project by kind, then those of all projects.
  const kinds = measured.map(({ table }, kind) => ({
    table,
    own: count(sums[kind]),
    all: count(sums[measured.length + kind]),
  }))
  const ownOf = (wanted: Table) => kinds.reduce((sum, { table, own }) => (table === wanted ? sum + own : sum), 0)
  const disk_bytes = kinds.reduce((sum, { table, own, all }) => {
    if (table === filesTable) return sum + own
    const stored = tables.find(({ name }) => name === table.name)?.bytes ?? 0
    return sum + (all === 0 ? 0 : Math.round((stored * own) / all))
  }, 0)
  return {
    project_id: textIn(projectId),
    calls: count(calls),
    bytes: count(bytes),
    call_bytes: ownOf(callsTable),
    object_bytes: ownOf(objectsTable),
    table_row_bytes: ownOf(tableRows),
    file_bytes: ownOf(filesTable),
    disk_bytes,
  }
}

const count = (cell: Cell | undefined): number => present(numberIn(cell), 'A count of a project')

/** Days without calls in between included. */
function everyDay(found: readonly DayBytes[], today: number): Storage['days'] {
  const bytesOf = new Map(found.map(({ day, bytes }) => [day, bytes]))
  const listed: Storage['days'] = []
  const first = found[0]?.day ?? Number.POSITIVE_INFINITY
  for (let day = first; day <= today; day += dayMicros) {
    listed.push({ day: formatTime(day).slice(0, 10), bytes: bytesOf.get(day) ?? 0 })
  }
  return listed
}
