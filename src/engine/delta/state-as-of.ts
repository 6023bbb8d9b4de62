import type { Writer } from '../../runtime/duck/writer.ts'
import { findModifiedMs, listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { findCheckpoints, readCheckpoint } from './checkpoint.ts'
import { commitName, commitVersion, readCommit } from './commit-file.ts'
import { applyCommits, DeltaState } from './delta-state.ts'

/** A version of a table: by number, or the one that was current at a time (milliseconds). */
export type AsOf = { readonly version: number } | { readonly timeMs: number }

/**
 * The state of a table as of an earlier version; undefined if the Delta log does not record it. See
 * docs/decisions/167-old-versions.md.
 *
 * @throws DamagedCommit if a commit cannot be read
 */
export async function readStateAsOf(writer: Writer, folder: string, asOf: AsOf): Promise<DeltaState | undefined> {
  const names = await listFolder(folder)
  const version = 'version' in asOf ? asOf.version : await versionAt(folder, names, asOf.timeMs)
  if (version === undefined || !names.includes(commitName(version))) return undefined
  const commits = names.filter((name) => (commitVersion(name) ?? Number.POSITIVE_INFINITY) <= version)
  for (const checkpoint of findCheckpoints(names)) {
    if (checkpoint.version > version) continue
    const state = new DeltaState()
    state.loadCheckpoint(await readCheckpoint(writer, folder, checkpoint))
    await applyCommits(state, folder, commits)
    return state
  }
  if (!names.includes(commitName(0))) return undefined
  const state = new DeltaState()
  await applyCommits(state, folder, commits)
  return state
}

/** The last version that was committed until a time. */
async function versionAt(folder: string, names: readonly string[], timeMs: number): Promise<number | undefined> {
  let found: number | undefined
  for (const name of names) {
    const version = commitVersion(name)
    if (version === undefined) continue
    if ((await committedMs(joinPath(folder, name))) > timeMs) return found
    found = version
  }
  return found
}

async function committedMs(file: string): Promise<number> {
  for (const action of await readCommit(file)) {
    const timestamp = 'commitInfo' in action ? action.commitInfo['timestamp'] : undefined
    if (typeof timestamp === 'number') return timestamp
  }
  return (await findModifiedMs(file)) ?? 0
}
