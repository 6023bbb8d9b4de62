import type { Writer } from '../../duck/writer.ts'
import { listFolder } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { Action, Add, MetaData, Protocol, Transaction } from './actions.ts'
import { type Checkpoint, checkpointVersions, missingOf, readCheckpoint, withMissing } from './checkpoint.ts'
import { commitVersion, readCommit } from './commit-file.ts'
import { columnsOfSchema } from './schema-string.ts'

/** A file of a Delta table, and the columns that the table had when it was added. */
export interface TableFile {
  readonly add: Add['add']
  readonly columns: readonly string[]
}

/** What a Delta table consists of after all commits so far. */
export class DeltaState {
  /** Number of the last commit; -1 before the first. */
  version = -1
  /** Undefined before the first commit. */
  metaData: MetaData['metaData'] | undefined
  /** Checkpoints that could not be read; the table was read without them. */
  readonly damaged: { readonly version: number; readonly cause: unknown }[] = []
  private protocol: Protocol['protocol'] | undefined
  private columns: readonly string[] = []
  private readonly filesByPath = new Map<string, TableFile>()
  private readonly txns = new Map<string, Transaction['txn']>()

  get files(): readonly TableFile[] {
    return [...this.filesByPath.values()]
  }

  get hasProtocol(): boolean {
    return this.protocol !== undefined
  }

  /** What applications have noted, sorted by their ids. */
  get transactions(): readonly (readonly [appId: string, version: number])[] {
    return [...this.txns.values()].map(({ appId, version }) => [appId, version] as const).sort()
  }

  /** The last version that an application has noted; undefined where it has noted none. */
  transaction(appId: string): number | undefined {
    return this.txns.get(appId)?.version
  }

  /** The next commit. */
  apply(actions: readonly Action[]): void {
    this.version++
    this.take(actions)
  }

  /** All commits up to that of the checkpoint. */
  begin({ version, actions }: Checkpoint): void {
    this.version = version
    // Which columns a file lacks is told against those of the table.
    this.take(actions.filter((action) => !('add' in action)))
    this.take(actions.filter((action) => 'add' in action))
  }

  get checkpoint(): Checkpoint {
    const { version, protocol, metaData, columns } = this
    if (protocol === undefined || metaData === undefined) throw new Error('Write a checkpoint: the table has no commit')
    const adds = this.files.map((file) =>
      withMissing(
        file.add,
        columns.filter((name) => !file.columns.includes(name)),
      ),
    )
    const txns = [...this.txns.values()].map((txn) => ({ txn }))
    return { version, actions: [{ protocol }, { metaData }, ...txns, ...adds] }
  }

  private take(actions: readonly Action[]): void {
    for (const action of actions) {
      if ('add' in action) this.filesByPath.set(action.add.path, this.fileOf(action.add))
      else if ('remove' in action) this.filesByPath.delete(action.remove.path)
      else if ('txn' in action) this.txns.set(action.txn.appId, action.txn)
      else if ('metaData' in action) {
        this.metaData = action.metaData
        this.columns = columnsOfSchema(action.metaData.schemaString)
      } else if ('protocol' in action) this.protocol = action.protocol
    }
  }

  private fileOf(add: Add['add']): TableFile {
    const missing = missingOf(add)
    return { add, columns: this.columns.filter((name) => !missing.includes(name)) }
  }
}

/**
 * What the commits in `folder` add up to: the newest checkpoint that can be read, and what came after it.
 *
 * @throws Error where a commit is missing or damaged
 */
export async function readDeltaState(writer: Writer, folder: string): Promise<DeltaState> {
  const state = new DeltaState()
  for (const version of await checkpointVersions(folder)) {
    try {
      state.begin(await readCheckpoint(writer, folder, version))
      break
    } catch (cause) {
      // The one before it does as well, and where there is none the commits that are missing are reported.
      state.damaged.push({ version, cause })
    }
  }
  const first = state.version + 1
  for (const name of await listFolder(folder)) {
    const version = commitVersion(name)
    if (version === undefined || version < first) continue
    if (version !== state.version + 1)
      throw new Error(`Read the Delta log: commit ${state.version + 1} is missing in ${folder}`)
    state.apply(await readCommit(joinPath(folder, name)))
  }
  return state
}
