import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { CompressionType, compressionRegistry, type Table, tableFromIPC } from 'apache-arrow'

// The library leaves decompressing to its users.
compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) })

/**
 * A table's folder as another engine sees it: the published formats, read without any code of the
 * store.
 */
export interface DeltaFile {
  readonly path: string
  readonly size: number
  readonly stats: {
    readonly numRecords: number
    readonly minValues: Record<string, string | number>
    readonly maxValues: Record<string, string | number>
    readonly nullCount: Record<string, number>
  }
}

export interface DeltaTable {
  readonly version: number
  readonly files: readonly DeltaFile[]
  readonly transactions: ReadonlyMap<string, number>
  readonly properties: Readonly<Record<string, string>>
  readonly schema: { readonly fields: readonly { readonly name: string; readonly type: unknown }[] }
}

export const tableFolder = (dataFolder: string, table: string): string => join(dataFolder, 'tables', table)

type Actions = Record<string, Record<string, never> | undefined>

/**
 * Replays a Delta log strictly by its protocol, from its newest checkpoint if any.
 * @throws Error if it violates the protocol
 */
export async function readDeltaTable(folder: string): Promise<DeltaTable> {
  const files = new Map<string, DeltaFile>()
  const transactions = new Map<string, number>()
  let schema: DeltaTable['schema'] | undefined
  let properties: DeltaTable['properties'] = {}
  let hasProtocol = false
  let version = -1
  const apply = (name: string, lines: readonly string[]) => {
    for (const line of lines) {
      const { add, remove, txn, metaData, protocol } = JSON.parse(line) as Actions
      if (protocol) hasProtocol = true
      if (metaData) schema = JSON.parse(metaData['schemaString']!) as DeltaTable['schema']
      if (metaData) properties = metaData['configuration'] ?? {}
      if (txn) transactions.set(txn['appId']!, txn['version']!)
      if (remove && !files.delete(remove['path']!))
        throw new Error(`${name} removes ${remove['path']}, which is not there`)
      if (add) {
        const path: string = add['path']!
        if (files.has(path)) throw new Error(`${name} adds ${path} again`)
        files.set(path, { path: decodeURIComponent(path), size: add['size']!, stats: JSON.parse(add['stats'] ?? '{}') })
      }
    }
  }
  const log = join(folder, '_delta_log')
  const checkpoint = namesIn(log).findLast((name) => name.endsWith('.checkpoint.parquet'))
  if (checkpoint !== undefined) {
    const rows = await queryDuckDb(`SELECT to_json(t)::VARCHAR AS line FROM '${join(log, checkpoint)}' t`)
    // Remove actions matter only for cleaning up.
    const lines = rows.map(({ line }) => String(line)).filter((line) => !(JSON.parse(line) as Actions)['remove'])
    apply(checkpoint, lines)
    version = Number.parseInt(checkpoint, 10)
    const hint = join(log, '_last_checkpoint')
    // Optional in the protocol, and a crash may occur between it and its checkpoint.
    const last = existsSync(hint) ? (JSON.parse(readFileSync(hint, 'utf8')) as { version: number }) : { version }
    if (last.version > version) throw new Error(`_last_checkpoint names ${last.version}, which is not there`)
  }
  for (const name of namesIn(log).filter((name) => /^\d{20}\.json$/.test(name))) {
    if (Number.parseInt(name, 10) <= version) continue
    version++
    if (name !== `${String(version).padStart(20, '0')}.json`) throw new Error(`commit ${version} is missing: ${name}`)
    apply(name, readFileSync(join(log, name), 'utf8').trimEnd().split('\n'))
  }
  if (schema === undefined || !hasProtocol) throw new Error(`${folder} has no metaData or no protocol`)
  return { version, files: [...files.values()], transactions, properties, schema }
}

/** Runs one statement in a separate DuckDB. */
export async function queryDuckDb(sql: string): Promise<Record<string, DuckDBValue>[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowObjects()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** A FROM item over the files of a Delta table. */
export const parquetFiles = (folder: string, files: readonly DeltaFile[]): string =>
  `read_parquet([${files.map(({ path }) => `'${join(folder, path)}'`).join(', ')}])`

/** The WAL segments of a table, oldest first, each read completely by the Arrow library. */
export function readLogFiles(folder: string): { name: string; table: Table }[] {
  const names = namesIn(join(folder, '_wal')).filter((name) => name.endsWith('.arrows'))
  return names.map((name) => ({ name, table: tableFromIPC(readFileSync(join(folder, '_wal', name))) }))
}

/**
 * Faults in the folder of a table while its server is idle, one per line: files that are unreadable
 * or missing, wrong bounds, duplicate keys, unreferenced files.
 */
export async function findFolderFaults(folder: string, key: readonly [string, string]): Promise<string[]> {
  const faults: string[] = []
  const { files } = await readDeltaTable(folder)
  const named = new Set(files.map(({ path }) => path))
  const replaced = replacedFiles(join(folder, '_delta_log'))
  for (const name of namesBelow(folder)) if (name.endsWith('.tmp')) faults.push(`${name} is left behind`)
  for (const name of namesIn(folder))
    if (name.endsWith('.parquet') && !named.has(name) && !replaced.has(name))
      faults.push(`${name} is not in the Delta log`)
  for (const { path, size } of files)
    if (statSync(join(folder, path)).size !== size) faults.push(`${path} does not have the size in the Delta log`)
  for (const { name, table } of readLogFiles(folder))
    if (table.schema.fields.length === 0) faults.push(`${name} is empty`)
  if (files.length === 0) return faults
  const counts = await queryDuckDb(
    `SELECT filename, count(*)::INTEGER AS rows FROM ${parquetFiles(folder, files).replace(/\)$/, ', filename = true)')} GROUP BY ALL`,
  )
  const rowsOf = new Map(counts.map(({ filename, rows }) => [filename, rows]))
  // Other engines may omit statistics.
  for (const { path, stats } of files)
    if (stats.numRecords !== undefined && rowsOf.get(join(folder, path)) !== stats.numRecords)
      faults.push(`${path} has another number of rows than stated`)
  const doubled = await queryDuckDb(
    `SELECT "${key[0]}" || ' ' || "${key[1]}" AS key FROM ${parquetFiles(folder, files)} GROUP BY ALL HAVING count(*) > 1 LIMIT 5`,
  )
  return [...faults, ...doubled.map((row) => `${String(row['key'])} lies in Parquet twice`)]
}

/** Removed files are kept for a while. */
function replacedFiles(log: string): Set<string> {
  const commits = namesIn(log).filter((name) => name.endsWith('.json'))
  const lines = commits.flatMap((name) => readFileSync(join(log, name), 'utf8').trimEnd().split('\n'))
  return new Set(lines.flatMap((line) => (JSON.parse(line) as Actions)['remove']?.['path'] ?? []))
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : [])
const namesBelow = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String)
