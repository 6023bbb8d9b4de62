import { writeFileDurably } from '../../platform/durable-files.ts'
import { ensureFolder, listFolder, readText, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { Action, Add, MetaData, Remove } from './actions.ts'
import { columnsOfSchema } from './schema-string.ts'

/** What a Delta table consists of after all commits. */
export interface DeltaState {
  /** Number of the last commit; -1 before the first. */
  readonly version: number
  /** Undefined before the first commit. */
  readonly metaData: MetaData['metaData'] | undefined
  readonly files: readonly TableFile[]
  /** Last version per application id. */
  readonly transactions: ReadonlyMap<string, number>
}

/** A file of a Delta table, and the columns that the table had when it was added. */
export interface TableFile {
  readonly add: Add['add']
  readonly columns: readonly string[]
}

/** The commits of one Delta table in `folder` (`_delta_log`). One writer. */
export class DeltaLog {
  private readonly folder: string
  private version: number

  private constructor(folder: string, version: number) {
    this.folder = folder
    this.version = version
  }

  /** Reads all commits; the folder is made where it is missing. */
  static async open(folder: string): Promise<{ deltaLog: DeltaLog; state: DeltaState }> {
    await ensureFolder(folder)
    const state = await readDeltaState(folder)
    for (const name of await listFolder(folder)) if (name.endsWith('.tmp')) await removeFile(joinPath(folder, name))
    return { deltaLog: new DeltaLog(folder, state.version), state }
  }

  /** Adds one commit, durably; returns its version. */
  async commit(actions: readonly Action[]): Promise<number> {
    const next = this.version + 1
    await writeFileDurably(
      joinPath(this.folder, commitName(next)),
      `${actions.map((a) => JSON.stringify(a)).join('\n')}\n`,
    )
    this.version = next
    return next
  }
}

/** Replays the commits in `folder`. @throws Error where a commit is missing or damaged */
export async function readDeltaState(folder: string): Promise<DeltaState> {
  const files = new Map<string, TableFile>()
  const transactions = new Map<string, number>()
  let metaData: MetaData['metaData'] | undefined
  let columns: readonly string[] = []
  let version = -1
  for (const name of await listFolder(folder)) {
    const match = /^(\d{20})\.json$/.exec(name)
    if (match === null) continue
    if (Number(match[1]) !== version + 1)
      throw new Error(`Read the Delta log: commit ${version + 1} is missing in ${folder}`)
    version++
    for (const action of await readCommit(joinPath(folder, name))) {
      if ('add' in action) files.set(action.add.path, { add: action.add, columns })
      else if ('remove' in action) files.delete(action.remove.path)
      else if ('txn' in action) transactions.set(action.txn.appId, action.txn.version)
      else if ('metaData' in action) {
        metaData = action.metaData
        columns = columnsOfSchema(metaData.schemaString)
      }
    }
  }
  return { version, metaData, files: [...files.values()], transactions }
}

async function readCommit(file: string): Promise<Action[]> {
  const lines = (await readText(file)).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    try {
      return JSON.parse(line) as Action
    } catch (cause) {
      throw new Error(`Read the Delta log: ${file} holds a line that is not JSON`, { cause })
    }
  })
}

/** @param options `dataChange`: false where the rows stay in the table, in another file */
export const removeAction = (file: Add['add'], nowMs: number, { dataChange }: { dataChange: boolean }): Remove => ({
  remove: {
    path: file.path,
    deletionTimestamp: nowMs,
    dataChange,
    extendedFileMetadata: true,
    partitionValues: file.partitionValues,
    size: file.size,
  },
})

const commitName = (version: number): string => `${String(version).padStart(20, '0')}.json`
