import { v7 as uuid } from 'uuid'
import { itemAt } from '../../lib/present.ts'
import { textLiteral } from '../../runtime/duck/column-types.ts'
import { parquetOptions } from '../../runtime/duck/files-sql.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { publishFile, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { fileExists, findText, readText, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { Action, Add } from './actions.ts'

/** One checkpoint and its files. */
export interface CheckpointFiles {
  readonly version: number
  readonly names: readonly string[]
}

const nameOf = /^(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10})|\.[0-9a-f-]{36})?\.(parquet|json)$/

/**
 * The complete checkpoints among file names, newest first: single-file ones as this store writes
 * them, multi-part ones, and those with a UUID in the name.
 */
export function findCheckpoints(names: readonly string[]): CheckpointFiles[] {
  const groups = new Map<string, { version: number; parts: number; names: string[] }>()
  for (const name of names) {
    const match = nameOf.exec(name)
    if (match === null) continue
    const [, version, , parts] = match
    const key = parts === undefined ? name : `${version} in ${parts}`
    const group = groups.get(key) ?? { version: Number(version), parts: Number(parts ?? 1), names: [] }
    group.names.push(name)
    groups.set(key, group)
  }
  return [...groups.values()]
    .filter(({ names, parts }) => names.length === parts)
    .sort((a, b) => b.version - a.version || (itemAt(a.names, 0) < itemAt(b.names, 0) ? -1 : 1))
}

/** The version of the checkpoint that a file belongs to; undefined for other files. */
export function checkpointVersion(fileName: string): number | undefined {
  const match = nameOf.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

/** The name of a single-file checkpoint. */
export const checkpointName = (version: number): string => `${String(version).padStart(20, '0')}.checkpoint.parquet`

/** The pointer to the newest checkpoint. */
export const lastCheckpointName = '_last_checkpoint'

/**
 * A checkpoint holds the result of all commits up to its version, as one Parquet file with a column
 * per kind of action. Source: Delta Transaction Log Protocol, "Checkpoints",
 * https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
const textMap = 'MAP(VARCHAR, VARCHAR)'
const deletionVector = {
  storageType: 'VARCHAR',
  pathOrInlineDv: 'VARCHAR',
  offset: 'INTEGER',
  sizeInBytes: 'INTEGER',
  cardinality: 'BIGINT',
}
const file = {
  path: 'VARCHAR',
  partitionValues: textMap,
  size: 'BIGINT',
  dataChange: 'BOOLEAN',
  tags: textMap,
  deletionVector,
}
const actionShape = JSON.stringify({
  protocol: {
    minReaderVersion: 'INTEGER',
    minWriterVersion: 'INTEGER',
    readerFeatures: ['VARCHAR'],
    writerFeatures: ['VARCHAR'],
  },
  metaData: {
    id: 'VARCHAR',
    name: 'VARCHAR',
    description: 'VARCHAR',
    format: { provider: 'VARCHAR', options: textMap },
    schemaString: 'VARCHAR',
    partitionColumns: ['VARCHAR'],
    configuration: textMap,
    createdTime: 'BIGINT',
  },
  txn: { appId: 'VARCHAR', version: 'BIGINT', lastUpdated: 'BIGINT' },
  add: { ...file, modificationTime: 'BIGINT', stats: 'VARCHAR' },
  remove: { ...file, deletionTimestamp: 'BIGINT', extendedFileMetadata: 'BOOLEAN' },
  domainMetadata: { domain: 'VARCHAR', configuration: 'VARCHAR', removed: 'BOOLEAN' },
})

/** Tag of an added file: comma-separated columns that were added to the table after the file. */
const missingTag = 'tracelake.missing'

export interface Checkpoint {
  readonly version: number
  readonly actions: readonly Action[]
}

/**
 * Writes a checkpoint durably, then points `_last_checkpoint` to it. An existing checkpoint is
 * kept. See docs/decisions/058-delta-checkpoints.md.
 */
export async function writeCheckpoint(writer: Writer, folder: string, { version, actions }: Checkpoint): Promise<void> {
  const final = joinPath(folder, checkpointName(version))
  const temporary = `${final}.${uuid()}.tmp`
  if (!(await fileExists(final))) {
    await writer.execute(
      `COPY (SELECT action.* FROM (SELECT from_json(unnest($1), ${textLiteral(actionShape)}) AS action))
       TO ${textLiteral(temporary)} (${parquetOptions})`,
      [{ texts: actions.map((action) => JSON.stringify(action)) }],
    )
    await publishFile(temporary, final)
  }
  if (((await lastCheckpoint(folder)) ?? -1) < version)
    await writeFileDurably(joinPath(folder, lastCheckpointName), JSON.stringify({ version, size: actions.length }))
}

/** The version that `_last_checkpoint` points to; undefined if there is none. */
async function lastCheckpoint(folder: string): Promise<number | undefined> {
  const text = await findText(joinPath(folder, lastCheckpointName))
  try {
    const stated: { version?: number } = text === undefined ? {} : JSON.parse(text)
    return stated.version
  } catch {
    // Readers find the newest checkpoint without the pointer, and it is rewritten.
    return undefined
  }
}

/** @throws Error if it cannot be read */
export async function readCheckpoint(writer: Writer, folder: string, files: CheckpointFiles): Promise<Checkpoint> {
  const actions: Action[] = []
  const sidecars: string[] = []
  for (const row of await rowsOf(writer, folder, files.names)) {
    if ('sidecar' in row) sidecars.push(row.sidecar.path)
    else actions.push(row)
  }
  for (const path of sidecars)
    for (const row of await rowsOf(writer, folder, [joinPath('_sidecars', path)]))
      if (!('sidecar' in row)) actions.push(row)
  return { version: files.version, actions }
}

/** An action, or a further file of actions. */
type CheckpointRow = Action | { readonly sidecar: { readonly path: string } }

/** The rows of checkpoint files, each with the one action that it holds. */
async function rowsOf(writer: Writer, folder: string, names: readonly string[]): Promise<CheckpointRow[]> {
  const rows: CheckpointRow[] = []
  for (const name of names) {
    const path = joinPath(folder, name)
    const texts = name.endsWith('.json')
      ? (await readText(path)).split('\n').filter((line) => line !== '')
      : (
          await writer.read({ text: 'text' }, `SELECT to_json(t)::VARCHAR FROM read_parquet(${textLiteral(path)}) t`)
        ).map(({ text }) => text)
    for (const text of texts) {
      const action = withoutNulls(JSON.parse(text)) as CheckpointRow
      if (Object.keys(action).length > 0) rows.push(action)
    }
  }
  return rows
}

/** Drops members that exist only because other rows of the file have them. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

/** Removes `_last_checkpoint` if it points to this version. */
export async function removeLastCheckpointHint(folder: string, version: number): Promise<void> {
  // Other engines start at the pointer. Without one they search.
  if ((await lastCheckpoint(folder)) === version) await removeFile(joinPath(folder, lastCheckpointName))
}

/** Tags an added file with the columns that it lacks. */
export function tagMissingColumns(add: Add['add'], missing: readonly string[]): Add {
  const { [missingTag]: _, ...others } = add.tags ?? {}
  const tags = missing.length === 0 ? others : { ...others, [missingTag]: missing.join(',') }
  const { tags: __, ...bare } = add
  return { add: Object.keys(tags).length === 0 ? bare : { ...bare, tags } }
}

/** The columns named by the tag. */
export const missingColumnsOf = ({ tags }: Add['add']): string[] => tags?.[missingTag]?.split(',') ?? []
