import type { Writer } from '../../runtime/duck/writer.ts'
import { publishFile } from '../../runtime/platform/files/durable-files.ts'
import { findText, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { writeCheckpoint } from '../delta/checkpoint.ts'
import { checkpointName, checkpointVersion, lastCheckpointName } from '../delta/checkpoint-files.ts'
import { commitVersion } from '../delta/commit-file.ts'
import { indexedFile } from '../layout.ts'
import type { LinkOrCopy } from './link-or-copy.ts'
import type { StagedTable } from './stage-table.ts'

/**
 * Switches a table of the backup to its new state atomically, by publishing a checkpoint of that
 * state. Readers start from the newest checkpoint, so neither the commits before it nor the files
 * they name are needed. The write-ahead log goes first: it holds what the new state lacks and does
 * not harm the old one.
 */
export async function publishTable(writer: Writer, linkOrCopy: LinkOrCopy, staged: StagedTable): Promise<void> {
  const { source, target, state, before, logFiles } = staged
  for (const { name, temporary } of logFiles) await publishFile(temporary, joinPath(target.wal, name))
  const isPublished = before.version === state.version && (await lastCheckpoint(target.deltaLog)) === state.version
  if (!isPublished) await writeCheckpoint(writer, target.deltaLog, state.checkpoint)
  // The preceding commits are kept as a fallback in case the checkpoint is damaged later.
  for (const name of await listFolder(source.deltaLog)) {
    const isCommit = (commitVersion(name) ?? Number.POSITIVE_INFINITY) <= state.version
    const isEarlier = (checkpointVersion(name) ?? Number.POSITIVE_INFINITY) < state.version
    if (isCommit || isEarlier) await linkOrCopy.placeByName(source.deltaLog, target.deltaLog, name)
  }
}

/** Removes what the new state of a table does not need. Returns how many files. */
export async function removeObsolete({ source, target, state, logFiles }: StagedTable): Promise<number> {
  const parquet = new Set(state.files.map(({ add }) => fileNameOf(add.path)))
  const log = new Set(logFiles.map(({ name }) => name))
  const delta = new Set([...(await listFolder(source.deltaLog)), checkpointName(state.version), lastCheckpointName])
  await removeAllExcept(target.unfinished, () => false)
  const quarantined = new Set(await listFolder(source.quarantine))
  const removed = [
    await removeAllExcept(target.folder, (name) => !name.endsWith('.parquet') || parquet.has(name)),
    await removeAllExcept(target.filters, (name) => parquet.has(indexedFile(name) ?? '')),
    await removeAllExcept(target.wal, (name) => log.has(name)),
    await removeAllExcept(target.quarantine, (name) => quarantined.has(name)),
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
