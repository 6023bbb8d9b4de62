import { LastUsed } from '../../../engine/last-used.ts'
import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import type { CallsPlan, Relations } from '../../../query/calls-plan.ts'
import { isAlways } from '../../../query/expression.ts'
import { type CountedField, countFields, FieldCount, fieldColumns } from './field-count.ts'
import { newestCalls } from './newest-calls.ts'

/** The fields of the newest calls in a data file. */
interface FileFields {
  readonly fields: readonly CountedField[]
  readonly calls: number
  /** Start of the oldest of them. */
  readonly oldest: number
  /** There may be older calls in the file. */
  readonly isFull: boolean
  readonly byteLength: number
}

/** The fields of the newest calls in some data files. */
export interface NewestFields {
  readonly files: readonly FileFields[]
  readonly fileNames: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
  readonly oldest: number
}

const atMost = { calls: explorationLimits.fieldsCallsMax, bytes: explorationLimits.fieldsBytes }

/**
 * The fields of calls in data files, which are kept in memory: a file never changes. They hold as
 * long as all rows of the file count.
 */
export class FieldsOfFiles {
  private readonly known = new LastUsed<FileFields>(explorationLimits.fieldsKeptBytes)

  /**
   * The fields of the newest calls in data files; undefined if these have too few.
   *
   * @param plan of all calls of the project, or of all roots
   */
  async newest(snapshot: Snapshot, plan: CallsPlan, relations: Relations): Promise<NewestFields | undefined> {
    const found = new Map<string, FileFields>()
    const large = (await snapshot.wholeFiles(callsTable.name)).filter(
      ({ rows }) => rows >= explorationLimits.fieldsFileRowsMin,
    )
    for (const { fileName } of large.slice(0, explorationLimits.fieldsFilesMax)) {
      const fields = await this.fieldsOf(snapshot, plan, relations, fileName)
      if (fields === undefined) return undefined
      found.set(fileName, fields)
      if (!fields.isFull) continue
      const files = [...found.values()]
      const oldest = files.reduce((min, file) => Math.min(min, file.oldest), Number.POSITIVE_INFINITY)
      const paths = new Set(files.flatMap((file) => file.fields.map(({ path }) => path)))
      return { files, fileNames: new Set(found.keys()), paths, oldest }
    }
    return undefined
  }

  /** @returns undefined if there is no time for it */
  private async fieldsOf(
    snapshot: Snapshot,
    plan: CallsPlan,
    relations: Relations,
    fileName: string,
  ): Promise<FileFields | undefined> {
    const key = `${fileName}\n${plan.projectId}\n${isAlways(plan.where)}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    const calls = snapshot.relationOfFile(callsTable.name, fileName)
    const read = await newestCalls(snapshot, plan, { ...relations, calls }, fieldColumns, atMost)
    if (read.coverage.isOutOfTime) return undefined
    const count = new FieldCount()
    const callsRead = await countFields(count, fieldColumns, read.batches)
    const counted = [...count.counted()]
    const isFull = !read.coverage.isComplete
    const fields = { fields: counted, calls: callsRead, oldest: read.oldest, isFull, byteLength: bytesOf(counted) }
    this.known.set(key, fields)
    return fields
  }
}

/** Memory that fields take, roughly. */
const bytesOf = (fields: readonly CountedField[]): number =>
  fields.reduce((sum, { path, examples }) => sum + 200 + 2 * (path.length + JSON.stringify(examples).length), 500)
