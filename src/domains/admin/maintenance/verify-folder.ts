import { blobsFolder, tablesFolder, temporaryFolder, unfinishedBackupFile } from '../../../engine/layout.ts'
import { openReadOnly } from '../../../engine/read-only.ts'
import { filesTable } from '../../../engine/tables/files-table.ts'
import { objectsTable } from '../../../engine/tables/objects-table.ts'
import { tableChunks, tableLists, tableRows } from '../../../engine/tables/stored-tables.ts'
import { tables } from '../../../engine/tables/tables.ts'
import { type RowCheck, reason, type Verification } from '../../../engine/verify/verification.ts'
import { verifyBlobs } from '../../../engine/verify/verify-blobs.ts'
import { verifyTable } from '../../../engine/verify/verify-table.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { storageLimits } from '../../../lib/limits/storage.ts'
import { columnIndex, type Row, type Table } from '../../../lib/table.ts'
import { isDigestOfJson } from '../../../runtime/digest.ts'
import { FolderDocuments } from '../../../runtime/documents/folder-documents.ts'
import { Database } from '../../../runtime/duck/database.ts'
import { Writer } from '../../../runtime/duck/writer.ts'
import { systemClock } from '../../../runtime/platform/clock.ts'
import { fileExists, findFileBytes, listFolder } from '../../../runtime/platform/files/files.ts'
import { joinPath } from '../../../runtime/platform/files/paths.ts'
import { KeyRing, keyFileName, SealingKeyFile, SecretStore, secretFileName } from '../../access/index.ts'
import { withInternalRefs } from '../../records/index.ts'

/**
 * Statements that find dangling references in the whole store, whose tables are views of the same
 * names. Each returns the project, what refers, and what is wrong.
 */
const brokenReferences: readonly { readonly table: string; readonly text: string }[] = [
  {
    table: 'table_lists',
    text: `SELECT l.project_id, l.digest, CASE WHEN c.digest IS NULL THEN 'its chunk ' || l.chunk || ' is missing'
        ELSE 'its chunk ' || l.chunk || ' has ' || len(c.row_digests) || ' rows instead of ' || l.rows END
      FROM (SELECT project_id, digest, piece ->> '$[0]' AS chunk, (piece ->> '$[1]')::BIGINT AS rows
        FROM (SELECT project_id, digest, unnest(json_extract(chunks, '$[*]')) AS piece FROM table_lists)) l
      LEFT JOIN table_chunks c ON c.project_id = l.project_id AND c.digest = l.chunk
      WHERE c.digest IS NULL OR len(c.row_digests) <> l.rows ORDER BY ALL`,
  },
  {
    table: 'table_lists',
    text: `SELECT project_id, digest, 'its chunks have ' || rows || ' rows together instead of ' || row_count
      FROM (SELECT *, coalesce(list_sum(json_extract(chunks, '$[*][1]')::BIGINT[]), 0)::BIGINT AS rows FROM table_lists)
      WHERE rows <> row_count ORDER BY ALL`,
  },
  {
    table: 'table_lists',
    text: `SELECT l.project_id, l.digest, count(*) || ' of its rows are missing, the first is ' || min(l.row_digest)
      FROM (SELECT DISTINCT l.project_id, l.digest, unnest(c.row_digests) AS row_digest
        FROM (SELECT project_id, digest, unnest(json_extract_string(chunks, '$[*][0]')) AS chunk
          FROM table_lists WHERE is_complete = 1) l
        JOIN table_chunks c ON c.project_id = l.project_id AND c.digest = l.chunk) l
      ANTI JOIN table_rows r ON r.project_id = l.project_id AND r.digest = l.row_digest
      GROUP BY ALL ORDER BY ALL`,
  },
  {
    table: 'table_chunks',
    text: `SELECT project_id, digest, 'its rows have another digest together'
      FROM table_chunks WHERE digest <> sha256(array_to_string(row_digests, '')) ORDER BY ALL`,
  },
]

/** The files of all projects: project, digest and length. */
const namedContents = 'SELECT project_id, digest, size_bytes::DOUBLE FROM files ORDER BY ALL'

/**
 * For tables keyed by the digest of a JSON value: checks that the value still matches its digest.
 */
const digestChecks: ReadonlyMap<string, RowCheck> = new Map(
  [objectsTable, tableRows].map((table) => [table.name, digestCheck(table)]),
)

function digestCheck(table: Table): RowCheck {
  const id = columnIndex(table, table.key[1])
  const [project, digest, val] = [
    columnIndex(table, 'project_id'),
    columnIndex(table, 'digest'),
    columnIndex(table, 'val'),
  ]
  return {
    columns: [table.key[1], 'digest', 'val'],
    brokenRow: (row: Row) => {
      // The content of a deleted version is gone.
      const text = row[val]
      if (typeof text !== 'string' || isContentOf(String(row[digest]), text)) return undefined
      return `${row[id]} of ${row[project]}`
    },
  }
}

function isContentOf(digest: string, text: string): boolean {
  try {
    return isDigestOfJson(digest, withInternalRefs(parseExactly(text)))
  } catch {
    // Not JSON, or malformed refs: no digest was computed from that.
    return false
  }
}

export interface VerifyOptions extends Pick<Verification, 'report' | 'onProgress'> {
  readonly dataFolder: string
  readonly secretsKeyFile: string
  readonly memoryBytesMax: number
}

/** Counts of what was verified. */
export interface VerifiedFolder {
  readonly tables: number
  readonly files: number
  /** Rows in Parquet files, and rows or row fragments that are only in the log. */
  readonly fileRows: number
  readonly logRows: number
  readonly contents: number
  /** Table folders unknown to this version, which were not checked. */
  readonly unknown: readonly string[]
}

/** Verifies a data folder and reports problems. Changes nothing; a server may be running on it. */
export async function verifyFolder(options: VerifyOptions): Promise<VerifiedFolder> {
  const { dataFolder, memoryBytesMax, report } = options
  if (await fileExists(unfinishedBackupFile(dataFolder)))
    report('backup-unfinished.json', 'the backup into this folder was interrupted and is incomplete')
  const database = await Database.open({ memoryBytesMax, temporaryFolder: temporaryFolder(dataFolder) })
  const writer = new Writer(await database.connect())
  try {
    const verification: Verification = { ...options, writer, rowChecks: digestChecks }
    const sums = { files: 0, fileRows: 0, logRows: 0 }
    for (const table of tables) {
      const verified = await verifyTable(verification, table)
      for (const name of ['files', 'fileRows', 'logRows'] as const) sums[name] += verified[name]
    }
    await verifyReferences(options)
    const contents = await verifyBlobs(verification)
    await verifyRootFiles(options)
    const present = await listFolder(tablesFolder(dataFolder))
    const unknown = present.filter((name) => !tables.some((table) => table.name === name))
    return { tables: tables.length, ...sums, contents, unknown }
  } finally {
    writer.close()
    database.close()
  }
}

/**
 * Referring tables are opened before those they refer to: a server writes in the opposite order.
 */
const referring = [tableLists, tableChunks, tableRows, filesTable]

/** Retried, because a server may have removed a file that was replaced long ago. */
async function verifyReferences(options: VerifyOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const { place, fault } of await brokenReferencesIn(options)) options.report(place, fault)
      return
    } catch (cause) {
      if (attempt < storageLimits.referencesAttemptsMax) continue
      options.report('tables', `cannot check references between tables: ${reason(cause)}`)
      return
    }
  }
}

interface Fault {
  readonly place: string
  readonly fault: string
}

async function brokenReferencesIn({ dataFolder, memoryBytesMax, onProgress }: VerifyOptions): Promise<Fault[]> {
  const reading = { dataFolder, memoryBytesMax, tables: referring, temporaryFolder: temporaryFolder(dataFolder) }
  const { database, close } = await openReadOnly(reading)
  const faults: Fault[] = []
  try {
    for (const [index, { table, text }] of brokenReferences.entries()) {
      onProgress('references', index, brokenReferences.length)
      for await (const { rows } of database.query(text))
        for (const [project, digest, fault] of rows)
          faults.push({ place: joinPath('tables', table), fault: `${digest} of ${project}: ${fault}` })
    }
    return [...faults, ...(await missingContents(database, dataFolder))]
  } finally {
    close()
  }
}

async function missingContents(database: Database, dataFolder: string): Promise<Fault[]> {
  const place = joinPath('tables', filesTable.name)
  const faults: Fault[] = []
  for await (const { rows } of database.query(namedContents)) {
    for (const [project, digest, stated] of rows) {
      const bytes = await findFileBytes(joinPath(blobsFolder(dataFolder), String(digest).slice(0, 2), String(digest)))
      if (bytes === stated) continue
      const what = bytes === undefined ? 'is missing in blobs' : `has ${bytes} bytes instead of ${stated}`
      faults.push({ place, fault: `${digest} of ${project}: its content ${what}` })
    }
  }
  return faults
}

async function verifyRootFiles({ dataFolder, secretsKeyFile, report }: VerifyOptions): Promise<void> {
  const documents = new FolderDocuments(dataFolder)
  const key = new SealingKeyFile(secretsKeyFile)
  const readers = [
    [keyFileName, () => new KeyRing(documents, systemClock).list()],
    [secretFileName, () => new SecretStore({ documents, key, clock: systemClock }).list()],
  ] as const
  for (const [name, read] of readers) {
    try {
      await read()
    } catch (cause) {
      report(name, reason(cause))
    }
  }
}
