import type { Writer } from '../../runtime/duck/writer.ts'
import { listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { Action, Add, DomainMetadata, MetaData, Protocol, Remove, Transaction } from './actions.ts'
import {
  type Checkpoint,
  type CheckpointFiles,
  findCheckpoints,
  missingColumnsOf,
  readCheckpoint,
  tagMissingColumns,
} from './checkpoint.ts'
import { commitVersion, readCommit } from './commit-file.ts'
import { vectorId } from './deletion-vector.ts'
import { columnsOfSchema } from './schema-string.ts'

/** A file of a Delta table, and the columns that the table had when it was added. */
export interface TableFile {
  readonly add: Add['add']
  readonly columns: readonly string[]
}

/** The protocol identifies a file of a table by its path and its deletion vector. */
export const fileKey = ({ path, deletionVector }: Add['add'] | Remove['remove']): string =>
  `${path}\n${vectorId(deletionVector)}`

/** The contents of a Delta table after all commits so far. */
export class DeltaState {
  /** Version of the last commit; -1 before the first. */
  version = -1
  /** Undefined before the first commit. */
  metaData: MetaData['metaData'] | undefined
  protocol: Protocol['protocol'] | undefined
  /** Checkpoints that could not be read; the state was computed without them. */
  readonly damaged: (CheckpointFiles & { readonly cause: unknown })[] = []
  private columns: readonly string[] = []
  private readonly filesByKey = new Map<string, TableFile>()
  private readonly removedByKey = new Map<string, Remove['remove']>()
  private readonly txns = new Map<string, Transaction['txn']>()
  private readonly domains = new Map<string, DomainMetadata['domainMetadata']>()

  get files(): readonly TableFile[] {
    return [...this.filesByKey.values()]
  }

  /** Files that were removed and not added again, while the log still mentions them. */
  get removed(): readonly Remove['remove'][] {
    return [...this.removedByKey.values()]
  }

  /** Paths of its files, and of those that were removed. */
  get paths(): ReadonlySet<string> {
    return new Set([...this.files.map(({ add }) => add.path), ...this.removed.map(({ path }) => path)])
  }

  /** Whether the table contains the file with this deletion vector. */
  has(file: Add['add']): boolean {
    return this.filesByKey.has(fileKey(file))
  }

  /** Whether it was removed, while the log still mentions that. */
  isRemoved(file: Add['add']): boolean {
    return this.removedByKey.has(fileKey(file))
  }

  /** Application transactions, sorted by application id. */
  get transactions(): readonly (readonly [appId: string, version: number])[] {
    return [...this.txns.values()].map(({ appId, version }) => [appId, version] as const).sort()
  }

  /** The last version recorded by an application; undefined if there is none. */
  transaction(appId: string): number | undefined {
    return this.txns.get(appId)?.version
  }

  /** An independent copy. */
  copy(): DeltaState {
    const copy = new DeltaState()
    copy.version = this.version
    copy.metaData = this.metaData
    copy.protocol = this.protocol
    copy.columns = this.columns
    for (const [key, file] of this.filesByKey) copy.filesByKey.set(key, file)
    for (const [key, remove] of this.removedByKey) copy.removedByKey.set(key, remove)
    for (const [appId, txn] of this.txns) copy.txns.set(appId, txn)
    for (const [name, domain] of this.domains) copy.domains.set(name, domain)
    return copy
  }

  /** Applies the next commit. */
  apply(actions: readonly Action[]): void {
    this.version++
    this.applyActions(actions)
  }

  /** Replaces all commits up to the version of the checkpoint. */
  loadCheckpoint({ version, actions }: Checkpoint): void {
    this.version = version
    this.applyActions(actions)
  }

  get checkpoint(): Checkpoint {
    const { version, protocol, metaData, columns } = this
    if (protocol === undefined || metaData === undefined)
      throw new Error('Cannot write a checkpoint: the table has no commit')
    const adds = this.files.map((file) =>
      tagMissingColumns(
        file.add,
        columns.filter((name) => !file.columns.includes(name)),
      ),
    )
    const removes = this.removed.map((remove) => ({ remove: { ...remove, dataChange: false } }))
    const domains = [...this.domains.values()].map((domain) => ({ domainMetadata: domain }))
    const txns = [...this.txns.values()].map((txn) => ({ txn }))
    return { version, actions: [{ protocol }, { metaData }, ...domains, ...txns, ...removes, ...adds] }
  }

  /** Drops removed files for which `isExpired` returns true. */
  expireRemoved(isExpired: (remove: Remove['remove']) => boolean): void {
    for (const [key, remove] of this.removedByKey) if (isExpired(remove)) this.removedByKey.delete(key)
  }

  /** The actions of a commit are unordered: metadata is applied first, and removes before adds. */
  private applyActions(actions: readonly Action[]): void {
    for (const action of actions) {
      if ('protocol' in action) this.protocol = action.protocol
      else if ('txn' in action) this.txns.set(action.txn.appId, action.txn)
      else if ('domainMetadata' in action) this.applyDomain(action)
      else if ('metaData' in action) {
        this.metaData = { ...action.metaData, configuration: action.metaData.configuration ?? {} }
        this.columns = columnsOfSchema(action.metaData.schemaString)
      }
    }
    for (const action of actions) {
      if (!('remove' in action)) continue
      this.filesByKey.delete(fileKey(action.remove))
      this.removedByKey.set(fileKey(action.remove), action.remove)
    }
    for (const action of actions) {
      if (!('add' in action)) continue
      this.filesByKey.set(fileKey(action.add), this.fileOf(action.add))
      this.removedByKey.delete(fileKey(action.add))
    }
  }

  private applyDomain({ domainMetadata }: DomainMetadata): void {
    const { domain, removed } = domainMetadata
    if (removed) this.domains.delete(domain)
    else this.domains.set(domain, domainMetadata)
  }

  private fileOf(add: Add['add']): TableFile {
    const missing = missingColumnsOf(add)
    return { add, columns: this.columns.filter((name) => !missing.includes(name)) }
  }
}

/**
 * Reads the state in `folder`: the newest readable checkpoint and the commits after it.
 *
 * @throws Error if a commit is missing; DamagedCommit if one cannot be read
 */
export async function readDeltaState(writer: Writer, folder: string): Promise<DeltaState> {
  const state = new DeltaState()
  const names = await listFolder(folder)
  for (const files of findCheckpoints(names)) {
    try {
      state.loadCheckpoint(await readCheckpoint(writer, folder, files))
      break
    } catch (cause) {
      // An older checkpoint works as well; without any, the missing commits are reported.
      state.damaged.push({ ...files, cause })
    }
  }
  await applyCommits(state, folder, names)
  return state
}

/**
 * Applies the commits among `names` that follow the state.
 * @throws like `readDeltaState`
 */
export async function applyCommits(state: DeltaState, folder: string, names: readonly string[]): Promise<void> {
  const first = state.version + 1
  for (const name of names) {
    const version = commitVersion(name)
    if (version === undefined || version < first) continue
    if (version !== state.version + 1)
      throw new Error(`Cannot read the Delta log: commit ${state.version + 1} is missing in ${folder}`)
    state.apply(await readCommit(joinPath(folder, name)))
  }
}
