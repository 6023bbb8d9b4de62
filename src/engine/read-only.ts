import type { Table } from '../lib/table.ts'
import { textLiteral } from '../runtime/duck/column-types.ts'
import { Database } from '../runtime/duck/database.ts'
import { Writer } from '../runtime/duck/writer.ts'
import { fileExists } from '../runtime/platform/files/files.ts'
import { fileColumnList, fileNameOf } from './data-files/file-scan.ts'
import { openWithoutFilters, parquetSource } from './data-files/open-data-files.ts'
import { type AsOf, readStateAsOf } from './delta/state-as-of.ts'
import { KeyIndex } from './key-index/key-index.ts'
import { TableLayout } from './layout.ts'
import { KnownRows } from './lineage/lessons.ts'
import { materialize } from './memtable/materialize.ts'
import { createTables, Memtable } from './memtable/memtable.ts'
import type { OlderLayers } from './memtable/stored-rows.ts'
import { notMasked } from './row-key.ts'
import { readTableOnDisk, type TableOnDisk } from './table/table-on-disk.ts'
import { BatchCodec } from './wal/batch-codec.ts'
import type { LogFile } from './wal/recover-log.ts'
import { readSegment } from './wal/segment-reader.ts'

/**
 * Opens the tables of a folder read-only, whether or not a server is running on it: nothing in the
 * folder changes and no lock is taken. Each table becomes a view of that name with what the server
 * would answer from right now: its Parquet files and the contents of the WAL.
 */
export async function openReadOnly(options: {
  dataFolder: string
  tables: readonly Table[]
  memoryBytesMax: number
  temporaryFolder: string
  /** The only project whose rows the database is to hold; all of them if undefined. */
  projectId?: string
  /**
   * An earlier version of the tables: what their files held then. A table of which that version is
   * gone has no view.
   */
  asOf?: AsOf | undefined
}): Promise<{
  database: Database
  dataFiles: readonly string[]
  /** Tables of which the version is gone. */
  gone: readonly string[]
  close: () => void
}> {
  const { memoryBytesMax, temporaryFolder } = options
  const database = await Database.open({ memoryBytesMax, temporaryFolder })
  const writer = new Writer(await database.connect())
  const dataFiles: string[] = []
  const gone: string[] = []
  try {
    for (const table of options.tables) {
      const layout = new TableLayout(options.dataFolder, table.name)
      const onDisk = await findTable(writer, layout, options.asOf)
      if (onDisk === undefined) gone.push(table.name)
      else dataFiles.push(...(await createView(writer, table, { layout, onDisk, projectId: options.projectId })))
    }
  } finally {
    writer.close()
  }
  return { database, dataFiles, gone, close: () => database.close() }
}

/** Undefined if the table no longer has the files of that version. */
async function findTable(writer: Writer, layout: TableLayout, asOf?: AsOf): Promise<TableOnDisk | undefined> {
  if (asOf === undefined) return await readTableOnDisk(writer, layout)
  const state = await readStateAsOf(writer, layout.deltaLog, asOf)
  if (state === undefined) return undefined
  for (const { add } of state.files) if (!(await fileExists(layout.parquet(fileNameOf(add.path))))) return undefined
  return { state, logFiles: [] }
}

/** Returns the paths of the data files that the view reads. */
async function createView(
  writer: Writer,
  table: Table,
  { layout, onDisk, projectId }: { layout: TableLayout; onDisk: TableOnDisk; projectId: string | undefined },
): Promise<string[]> {
  const { state, logFiles } = onDisk
  const dataFiles = await openWithoutFilters(writer, table, layout, state.files)
  const memtable = new Memtable(table, 1)
  await createTables(writer, table, memtable)
  applyLogFiles(table, memtable, logFiles)
  const keyIndex = new KeyIndex(table, layout)
  const older: OlderLayers = {
    knownRows: new KnownRows(),
    sealed: undefined,
    findInFiles: (keys) => keyIndex.lookUp(dataFiles, keys),
    filesSource: (holders) => parquetSource(layout, holders),
    findInDamagedFiles: async () => [],
    findDamage: async () => false,
  }
  do await materialize({ memtable: writer, older: writer }, table, memtable, older, 'all')
  while (memtable.dirty.size > 0 || memtable.lessons.size > 0)
  const columns = fileColumnList(table)
  const others = projectId === undefined ? undefined : `"${table.key[0]}" IS DISTINCT FROM ${textLiteral(projectId)}`
  if (others !== undefined) {
    await writer.execute(`DELETE FROM "${memtable.tableName}" WHERE ${others}`)
    await writer.execute(`DELETE FROM "${memtable.maskName}" WHERE ${others}`)
  }
  const inMemory = `SELECT ${columns} FROM "${memtable.tableName}" t`
  const files = `SELECT ${columns} FROM ${parquetSource(layout, dataFiles)} t
    WHERE t."${table.presenceColumn}" IS NOT NULL AND ${notMasked(table, memtable.maskName)}
      ${others === undefined ? '' : `AND NOT (t.${others})`}`
  await writer.execute(
    `CREATE VIEW "${table.name}" AS ${dataFiles.length === 0 ? inMemory : `${files} UNION ALL ${inMemory}`}`,
  )
  return dataFiles.map(({ fileName }) => layout.parquet(fileName))
}

function applyLogFiles(table: Table, memtable: Memtable, logFiles: readonly LogFile[]): void {
  const codec = new BatchCodec(table)
  for (const { bytes } of logFiles) memtable.applyUnaccounted(readSegment(bytes, codec).rows, 0)
}
