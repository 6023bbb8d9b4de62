import type { Log } from '../../runtime/log.ts'
import { syncFolder, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { ensureFolder, fileExists, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { TableLayout } from '../layout.ts'

/**
 * Files that this store has written but not committed, one marker each in `_unfinished`. Only this
 * marker proves that a file is garbage: an unreferenced file may belong to another engine that is
 * about to commit it, or to a lost commit.
 */
export async function markUncommitted(layout: TableLayout, fileName: string): Promise<void> {
  await ensureFolder(layout.unfinished)
  await writeFileDurably(joinPath(layout.unfinished, fileName), '')
}

/** Removes the markers of files that a commit now names. */
export const markCommitted = (layout: TableLayout, files: readonly { readonly fileName: string }[]): Promise<void> =>
  unmark(
    layout,
    files.map(({ fileName }) => fileName),
  )

async function unmark(layout: TableLayout, fileNames: readonly string[]): Promise<void> {
  for (const name of fileNames) await removeFile(joinPath(layout.unfinished, name))
}

/**
 * Removes a file that will not be committed, and then its marker. After a power loss, the file must
 * not be back without its marker: it would look like the rows of a lost commit.
 */
export async function discardFile(layout: TableLayout, fileName: string): Promise<void> {
  for (const file of [layout.parquet(fileName), ...layout.indexFiles(fileName)]) await removeFile(file)
  await syncFolder(layout.folder)
  await layout.keeper.forget(fileName)
  await unmark(layout, [fileName])
}

/** DuckDB put `tmp_` in front of some names until `USE_TMP_FILE` was turned off. */
const ownTemporary = /^(tmp_)?_part-[0-9a-f-]{36}\.parquet\.tmp$/

/**
 * Removes uncommitted files that a crash left behind, and logs each one. See
 * docs/decisions/069-unfinished-files.md.
 */
export async function removeUncommitted(layout: TableLayout, named: ReadonlySet<string>, log: Log): Promise<void> {
  for (const fileName of await listFolder(layout.unfinished)) {
    if (named.has(fileName) || fileName.endsWith('.tmp')) await unmark(layout, [fileName])
    else {
      const wasThere = await fileExists(layout.parquet(fileName))
      await discardFile(layout, fileName)
      if (wasThere) log.warn({ file: fileName }, 'removed an uncommitted data file left by a crash')
    }
  }
  for (const name of await listFolder(layout.folder)) {
    if (!ownTemporary.test(name)) continue
    await removeFile(joinPath(layout.folder, name))
    log.warn({ file: name }, 'removed a half-written data file left by a crash')
  }
}
