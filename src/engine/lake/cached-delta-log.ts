import { forEachConcurrent } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { memberOf } from '../../lib/present.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { ensureFolder, findFileBytes, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { checkpointVersion, findCheckpoints, lastCheckpointName } from '../delta/checkpoint.ts'
import { commitName, commitVersion } from '../delta/commit-file.ts'
import { applyCommits, type DeltaState, readDeltaState } from '../delta/delta-state.ts'
import type { CachedFolder } from './cached-folder.ts'

/** The folder of a Delta log below that of its table. */
export const deltaFolder = '_delta_log'

interface Listed {
  readonly name: string
  readonly bytes: number
}

/**
 * A folder with the part of a Delta log that says what is in the table now: its newest checkpoint
 * and the commits after it. What is before them stays in the store. See
 * docs/decisions/297-opening-a-lake.md.
 */
export class CachedDeltaLog {
  private readonly files: CachedFolder
  private readonly folder: string
  private isThere = false
  /** What the folder says, until it is given away. */
  private state: DeltaState | undefined

  /** @param files of the table */
  constructor(files: CachedFolder) {
    this.files = files
    this.folder = files.pathOf(deltaFolder)
  }

  /**
   * Brings what is new since the last time, the first time all that is needed.
   *
   * @throws like `readDeltaState`
   */
  async read(writer: Writer): Promise<DeltaState> {
    const { isThere } = this
    // What fails half-way is read anew the next time.
    this.isThere = false
    if (isThere) {
      await this.bringCommits()
      this.state = (await this.advanced()) ?? (await readDeltaState(writer, this.folder))
    } else {
      await ensureFolder(this.folder)
      this.state = (await this.readNewest(writer)) ?? (await this.readAll(writer))
    }
    this.isThere = true
    return this.state
  }

  /** The state that was read last, which belongs to the caller then; undefined if there is none. */
  takeState(): DeltaState | undefined {
    const { state } = this
    this.state = undefined
    return state
  }

  /** The state with the commits that came since; undefined if the folder has to be read again. */
  private async advanced(): Promise<DeltaState | undefined> {
    // If a commit cannot be read, the state is not left with some of the others.
    const state = this.takeState()
    if (state === undefined || state.damaged.length > 0) return undefined
    const names = await listFolder(this.folder)
    const newest = names.reduce((last, name) => Math.max(last, versionOf(name) ?? -1), -1)
    if (newest <= state.version) return state
    if (!names.includes(commitName(state.version + 1))) return undefined
    return await applyCommits(state, this.folder, names).then(
      () => state,
      () => undefined,
    )
  }

  /** Brings the commits after the last one in the folder, and a checkpoint if some are gone. */
  async bringCommits(): Promise<void> {
    const last = (await listFolder(this.folder)).reduce((newest, name) => Math.max(newest, versionOf(name) ?? -1), -1)
    const listed = await this.list(last < 0 ? undefined : commitName(last))
    let version = last
    // One after the other: a commit may be there only if those before it are.
    for (const { name } of listed) {
      if (commitVersion(name) === undefined) continue
      if (commitVersion(name) === ++version && (await this.files.fetch(joinPath(deltaFolder, name)))) continue
      // The writer has removed commits that a checkpoint covers.
      if ((await this.bringNewest()) === undefined) await this.fetch(await this.list())
      return
    }
  }

  /** Names and times of all files of the log in the store. */
  async times(): Promise<ReadonlyMap<string, number | undefined>> {
    const times = new Map<string, number | undefined>()
    for await (const { name, modifiedMs } of this.files.list(`${deltaFolder}/`)) times.set(baseName(name), modifiedMs)
    return times
  }

  /** @returns undefined if that does not suffice, for example if the checkpoint is damaged */
  private async readNewest(writer: Writer): Promise<DeltaState | undefined> {
    const brought = await this.bringNewest()
    if (brought === undefined) return undefined
    await this.removeOthers(brought.listed, brought.from)
    const state = await readDeltaState(writer, this.folder).catch(() => undefined)
    return state?.damaged.length === 0 ? state : undefined
  }

  /**
   * Brings the newest checkpoint and the commits after it.
   *
   * @returns what the store has from a name on; undefined if no checkpoint is found in this way
   */
  private async bringNewest(): Promise<{ readonly listed: readonly Listed[]; readonly from: string } | undefined> {
    const hinted = await this.hintedVersion()
    if (hinted === undefined) return undefined
    // The names of a checkpoint and of everything after it come behind its number.
    const from = String(hinted).padStart(20, '0')
    const listed = await this.list(from)
    const [checkpoint] = findCheckpoints(listed.map(({ name }) => name))
    if (checkpoint === undefined) return undefined
    await this.fetch(
      listed.filter(({ name }) => checkpoint.names.includes(name) || (commitVersion(name) ?? -1) > checkpoint.version),
    )
    return { listed, from }
  }

  private async readAll(writer: Writer): Promise<DeltaState> {
    const listed = await this.list()
    await this.fetch(listed)
    await this.removeOthers(listed, '')
    return await readDeltaState(writer, this.folder)
  }

  /** The version of a checkpoint that is the newest, or was so recently. */
  private async hintedVersion(): Promise<number | undefined> {
    const bytes = await this.files.find(joinPath(deltaFolder, lastCheckpointName))
    if (bytes === undefined) return undefined
    try {
      const version = memberOf(JSON.parse(new TextDecoder().decode(bytes)), 'version')
      return typeof version === 'number' ? version : undefined
    } catch {
      // Without the hint, everything is read.
      return undefined
    }
  }

  private async list(after?: string): Promise<Listed[]> {
    const listed: Listed[] = []
    const start = after === undefined ? undefined : joinPath(deltaFolder, after)
    for await (const { name, bytes } of this.files.list(`${deltaFolder}/`, start))
      listed.push({ name: baseName(name), bytes })
    return listed
  }

  /** Brings those that are not in the folder yet; the pointer to a checkpoint is not needed. */
  private async fetch(listed: readonly Listed[]): Promise<void> {
    await forEachConcurrent(listed, lakeLimits.commitsFetchedAtOnce, async ({ name, bytes }) => {
      const file = joinPath(deltaFolder, name)
      if (name === lastCheckpointName || (await findFileBytes(this.files.pathOf(file))) === bytes) return
      await this.files.fetch(file)
    })
  }

  /** Removes files that the store does not have, of those from a name on. */
  private async removeOthers(listed: readonly Listed[], from: string): Promise<void> {
    const names = new Set(listed.map(({ name }) => name))
    names.delete(lastCheckpointName)
    for (const name of await listFolder(this.folder))
      if (!names.has(name) && (name >= from || versionOf(name) === undefined))
        await removeFile(joinPath(this.folder, name))
  }
}

const versionOf = (name: string): number | undefined => commitVersion(name) ?? checkpointVersion(name)
