import { textLiteral } from '../../duck/column-types.ts'
import type { Writer } from '../../duck/writer.ts'
import { publishFile, writeFileDurably } from '../../platform/durable-files.ts'
import { listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { Action, Add } from './actions.ts'
import { commitVersion } from './commit-file.ts'

/**
 * A checkpoint holds what all commits up to its version add up to, as one Parquet file with a column for each kind of action.
 * Source: the Delta Transaction Log Protocol, "Checkpoints", https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */
const textMap = 'MAP(VARCHAR, VARCHAR)'
const file = { path: 'VARCHAR', partitionValues: textMap, size: 'BIGINT', dataChange: 'BOOLEAN' }
const actionShape = JSON.stringify({
  protocol: { minReaderVersion: 'INTEGER', minWriterVersion: 'INTEGER' },
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
  add: { ...file, modificationTime: 'BIGINT', stats: 'VARCHAR', tags: textMap },
  remove: { ...file, deletionTimestamp: 'BIGINT', extendedFileMetadata: 'BOOLEAN' },
})

/** Says which checkpoint is the newest. */
export const lastCheckpointName = '_last_checkpoint'

/** Tag of an added file: columns, joined by commas, that the table has got since the file was added. */
const missingTag = 'tracelake.missing'

export interface Checkpoint {
  readonly version: number
  readonly actions: readonly Action[]
}

/** Writes a checkpoint durably, and then says in `_last_checkpoint` that it is there. */
export async function writeCheckpoint(writer: Writer, folder: string, { version, actions }: Checkpoint): Promise<void> {
  const final = joinPath(folder, checkpointName(version))
  const temporary = `${final}.tmp`
  await writer.execute(
    `COPY (SELECT action.* FROM (SELECT from_json(unnest($1), ${textLiteral(actionShape)}) AS action))
     TO ${textLiteral(temporary)} (FORMAT parquet, COMPRESSION zstd)`,
    [{ texts: actions.map((action) => JSON.stringify(action)) }],
  )
  await publishFile(temporary, final)
  await writeFileDurably(joinPath(folder, lastCheckpointName), JSON.stringify({ version, size: actions.length }))
}

/** Numbers of the checkpoints in a folder, the newest first. */
export async function checkpointVersions(folder: string): Promise<number[]> {
  return (await listFolder(folder)).flatMap((name) => checkpointVersion(name) ?? []).reverse()
}

/** @throws Error where it cannot be read */
export async function readCheckpoint(writer: Writer, folder: string, version: number): Promise<Checkpoint> {
  const path = textLiteral(joinPath(folder, checkpointName(version)))
  const rows = await writer.rows(`SELECT to_json(t)::VARCHAR FROM read_parquet(${path}) t`)
  return { version, actions: rows.map(([text]) => actionOf(text as string)) }
}

/** The one kind of action that a row holds, without the members that it does not have. */
function actionOf(text: string): Action {
  const row = JSON.parse(text) as Record<string, Record<string, unknown> | null>
  const [kind, members] = Object.entries(row).find(([, value]) => value !== null)!
  return {
    [kind]: Object.fromEntries(Object.entries(members!).filter(([, value]) => value !== null)),
  } as unknown as Action
}

export async function removeCheckpoint(folder: string, version: number): Promise<void> {
  await removeFile(joinPath(folder, checkpointName(version)))
  // Other programs begin where it points. Where it is missing they look for themselves.
  await removeFile(joinPath(folder, lastCheckpointName))
}

/** Removes commits and checkpoints that lie before the last checkpoint but one: with that one, the table could still be read without the last. */
export async function removeBefore(folder: string, [, kept]: readonly number[]): Promise<void> {
  if (kept === undefined) return
  for (const name of await listFolder(folder)) {
    const version = commitVersion(name) ?? checkpointVersion(name)
    if (version !== undefined && version < kept) await removeFile(joinPath(folder, name))
  }
}

/** An added file with a note of the columns that it does not have. */
export const withMissing = (add: Add['add'], missing: readonly string[]): Add =>
  missing.length === 0 ? { add } : { add: { ...add, tags: { [missingTag]: missing.join(',') } } }

/** The columns that the note names. */
export const missingOf = ({ tags }: Add['add']): string[] => tags?.[missingTag]?.split(',') ?? []

/** Number of a checkpoint, or undefined for a file that is none. */
export function checkpointVersion(fileName: string): number | undefined {
  const match = /^(\d{20})\.checkpoint\.parquet$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

export const checkpointName = (version: number): string => `${String(version).padStart(20, '0')}.checkpoint.parquet`
