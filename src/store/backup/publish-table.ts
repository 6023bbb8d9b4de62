import type { Writer } from '../../duck/writer.ts'
import { publishFile } from '../../platform/durable-files.ts'
import { findText, listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { writeCheckpoint } from '../delta/checkpoint.ts'
import { checkpointName, checkpointVersion, lastCheckpointName } from '../delta/checkpoint-files.ts'
import { commitVersion } from '../delta/commit-file.ts'
import { indexedFile } from '../layout.ts'
import type { LinkOrCopy } from './link-or-copy.ts'
import type { StagedTable } from './stage-table.ts'

/**
 * Moves a table in the backup from what it held to its new state, in one step: a checkpoint of that state gets its name. A reader begins with the
 * newest checkpoint, so commits in between need not be there, nor the files that they named. The log comes before: it has
 * what the new state does not, and does no harm to the old one.
 */
export async function publishTable(writer: Writer, linkOrCopy: LinkOrCopy, staged: StagedTable): Promise<void> {
  const { source, target, state, before, logFiles } = staged
  for (const { name, temporary } of logFiles) await publishFile(temporary, joinPath(target.wal, name))
  const isPublished = before.version === state.version && (await lastCheckpoint(target.deltaLog)) === state.version
  if (!isPublished) await writeCheckpoint(writer, target.deltaLog, state.checkpoint)
  // The commits that led to it: should the checkpoint be damaged one day, they say the same.
  for (const name of await listFolder(source.deltaLog)) {
    const isCommit = (commitVersion(name) ?? Number.POSITIVE_INFINITY) <= state.version
    const isEarlier = (checkpointVersion(name) ?? Number.POSITIVE_INFINITY) < state.version
    if (isCommit || isEarlier) await linkOrCopy.placeByName(source.deltaLog, target.deltaLog, name)
  }
}

/** Removes what the new state of a table does not need; returns how many files. */
export async function removeObsolete({ source, target, state, logFiles }: StagedTable): Promise<number> {
  const parquet = new Set(state.files.map(({ add }) => fileNameOf(add.path)))
  const log = new Set(logFiles.map(({ name }) => name))
  const delta = new Set([...(await listFolder(source.deltaLog)), checkpointName(state.version), lastCheckpointName])
  await removeAllExcept(target.unfinished, () => false)
  const removed = [
    await removeAllExcept(target.folder, (name) => !name.endsWith('.parquet') || parquet.has(name)),
    await removeAllExcept(target.filters, (name) => parquet.has(indexedFile(name) ?? '')),
    await removeAllExcept(target.wal, (name) => log.has(name)),
    await removeAllExcept(target.deltaLog, (name) => delta.has(name) && !isLater(name, state.version)),
  ]
  return removed.reduce((sum, count) => sum + count, 0)
}

const isLater = (name: string, version: number): boolean =>
  (commitVersion(name) ?? checkpointVersion(name) ?? 0) > version

async function lastCheckpoint(deltaLog: string): Promise<number | undefined> {
  const text = await findText(joinPath(deltaLog, lastCheckpointName))
  return text === undefined ? undefined : (JSON.parse(text) as { version?: number }).version
}

async function removeAllExcept(folder: string, isWanted: (name: string) => boolean): Promise<number> {
  const others = (await listFolder(folder)).filter((name) => !isWanted(name))
  for (const name of others) await removeFile(joinPath(folder, name))
  return others.length
}
