import type { Writer } from '../../runtime/duck/writer.ts'
import { findText, listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { Action } from '../delta/actions.ts'
import { readCheckpoint } from '../delta/checkpoint.ts'
import { type CheckpointFiles, findCheckpoints, lastCheckpointName } from '../delta/checkpoint-files.ts'
import { commitName, commitVersion, readCommit } from '../delta/commit-file.ts'
import { DeltaState, fileKey } from '../delta/delta-state.ts'
import { reason } from './verification.ts'

/**
 * Lists violations of the protocol in a Delta log. Commits have to be complete and consecutive,
 * must not add a file twice or remove one that is absent; every checkpoint has to equal the commits
 * before it, and `_last_checkpoint` has to point to an existing one.
 */
export async function deltaLogFaults(writer: Writer, folder: string): Promise<string[]> {
  const replay = new Replay(writer, folder)
  const names = await listFolder(folder)
  const commits = new Set(names.flatMap((name) => commitVersion(name) ?? []))
  const checkpointFiles = findCheckpoints(names)
  const checkpoints = new Set(checkpointFiles.map(({ version }) => version))
  const versions = [...new Set([...commits, ...checkpoints])].sort((a, b) => a - b)
  if (versions.length === 0) return ['has no commit']
  const newestCheckpoint = Math.max(-1, ...checkpoints)
  for (const version of versions) {
    // Commits between a gap and a checkpoint are irrelevant.
    const follows = version === replay.state.version + 1
    if (commits.has(version) && follows) await replay.commit(version)
    else if (!checkpoints.has(version) && version > newestCheckpoint && !follows)
      return [...replay.faults, `commit ${replay.state.version + 1} is missing`]
    for (const files of checkpointFiles) if (files.version === version) await replay.checkpoint(files)
  }
  replay.end()
  return [...replay.faults, ...(await lastCheckpointFaults(folder, checkpoints))]
}

class Replay {
  readonly faults: string[] = []
  state = new DeltaState()
  private readonly writer: Writer
  private readonly folder: string

  constructor(writer: Writer, folder: string) {
    this.writer = writer
    this.folder = folder
  }

  async commit(version: number): Promise<void> {
    const name = commitName(version)
    const actions = await this.read(name, () => readCommit(joinPath(this.folder, name)))
    const present = new Map(this.state.files.map(({ add }) => [fileKey(add), add.path]))
    // Actions of a commit are unordered, and a file whose rows were deleted replaces itself.
    for (const action of actions)
      if ('remove' in action && !present.delete(fileKey(action.remove)))
        this.faults.push(`${name} removes ${action.remove.path}, which is not in the table`)
    const paths = new Set(present.values())
    for (const action of actions) {
      if (!('add' in action)) continue
      // Adding the same file again may update its metadata but brings no rows; with another
      // deletion vector it would be there twice.
      if (paths.has(action.add.path) && (action.add.dataChange || !present.has(fileKey(action.add))))
        this.faults.push(`${name} adds ${action.add.path}, which is already in the table`)
      paths.add(action.add.path)
      present.set(fileKey(action.add), action.add.path)
    }
    this.state.apply(actions)
  }

  async checkpoint(files: CheckpointFiles): Promise<void> {
    const { version } = files
    const name = files.names[0]!
    const faultsBefore = this.faults.length
    const actions = await this.read(name, async () => (await readCheckpoint(this.writer, this.folder, files)).actions)
    if (this.faults.length > faultsBefore) return
    const state = new DeltaState()
    state.loadCheckpoint({ version, actions })
    if (this.state.version === version && summary(this.state) !== summary(state))
      this.faults.push(`${name} differs from the result of the commits before it`)
    this.state = state
  }

  end(): void {
    if (this.state.metaData === undefined) this.faults.push('no commit defines the columns of the table (metaData)')
    if (!this.state.hasProtocol) this.faults.push('no commit states the protocol version')
  }

  private async read(name: string, read: () => Promise<readonly Action[]>): Promise<readonly Action[]> {
    try {
      return await read()
    } catch (cause) {
      this.faults.push(`${name} cannot be read: ${reason(cause)}`)
      return []
    }
  }
}

/** Equal for equal states of a table. */
function summary(state: DeltaState): string {
  const files = state.files.map(({ add, columns }) => [fileKey(add), add.size, columns])
  const { metaData } = state
  return JSON.stringify([metaData?.id, metaData?.schemaString, state.transactions, files.sort()])
}

async function lastCheckpointFaults(folder: string, checkpoints: ReadonlySet<number>): Promise<string[]> {
  const text = await findText(joinPath(folder, lastCheckpointName))
  if (text === undefined) return []
  try {
    const { version } = JSON.parse(text) as { version: number }
    return checkpoints.has(version) ? [] : [`${lastCheckpointName} names checkpoint ${version}, which is missing`]
  } catch {
    return [`${lastCheckpointName} is not JSON`]
  }
}
