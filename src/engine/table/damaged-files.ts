import { DomainError } from '../../lib/errors.ts'
import { type Table, timeColumn } from '../../lib/table.ts'
import type { Log } from '../../runtime/log.ts'
import { ensureFolderDurably, writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findText, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { mayWait } from '../../runtime/platform/without-waiting.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { findContentFault } from '../data-files/file-checksum.ts'
import type { TableLayout } from '../layout.ts'
import { FilesReplaced } from './replaced-files.ts'

/** @throws DomainError DataDamaged if the answer would lack the rows of a damaged file */
export function refuseDamaged(table: Table, dataFiles: readonly DataFile[], projectId?: string): void {
  if (dataFiles.length === 0) return
  const whose = projectId === undefined ? '' : ` of the project "${projectId}"`
  const [from, to] = timesOf(table, dataFiles)
  const when = from === undefined || to === undefined ? '' : ` from between ${from} and ${to}`
  throw new DomainError(
    'DataDamaged',
    `Cannot read ${table.name.replaceAll('_', ' ')}${whose}: stored data${when} is damaged; the operator can ` +
      `repair it with "tracelake repair"`,
  )
}

/** The time range of the files' rows, if the table is sorted by a time. */
function timesOf(table: Table, dataFiles: readonly DataFile[]): [from: unknown, to: unknown] {
  const column = timeColumn(table)?.name
  if (column === undefined) return [undefined, undefined]
  const bounds = (side: 'minValues' | 'maxValues') =>
    dataFiles.flatMap(({ statistics }) => statistics[side][column] ?? []).sort()
  return [bounds('minValues')[0], bounds('maxValues').at(-1)]
}

const ending = '.damaged.json'
const noteFile = (layout: TableLayout, fileName: string): string => joinPath(layout.quarantine, fileName + ending)

/**
 * The damaged files of a table. Their rows are not served, and updates do not remove outdated rows
 * from them; `tracelake repair` handles both. Known damage is recorded next to the table and
 * survives a restart. See docs/decisions/073-damaged-files.md.
 */
export class DamagedFiles {
  private readonly faults = new Map<string, string>()
  /** Checks in progress, by file name: of those who wait for files, and of those who do not. */
  private readonly checks = {
    waiting: new Map<string, Promise<boolean>>(),
    atHand: new Map<string, Promise<boolean>>(),
  }
  private readonly layout: TableLayout
  private readonly isNamed: (dataFile: DataFile) => Promise<boolean>
  private readonly log: Log

  /** @param isNamed whether the Delta log on disk references a file */
  constructor(layout: TableLayout, isNamed: (dataFile: DataFile) => Promise<boolean>, log: Log) {
    this.layout = layout
    this.isNamed = isNamed
    this.log = log
  }

  get count(): number {
    return this.faults.size
  }

  has = ({ fileName }: DataFile): boolean => this.faults.has(fileName)

  /** The damaged ones of these files. */
  among(dataFiles: readonly DataFile[]): DataFile[] {
    return this.faults.size === 0 ? [] : dataFiles.filter(this.has)
  }

  /** Loads the records of earlier processes, and records the faults found at startup. */
  async load(found: ReadonlyMap<string, string>, dataFiles: readonly DataFile[]): Promise<void> {
    const notes = await readDamageNotes(this.layout)
    for (const { fileName } of dataFiles) {
      const fault = notes.get(fileName)
      if (fault !== undefined) this.faults.set(fileName, fault)
    }
    for (const [fileName, fault] of found) if (!this.faults.has(fileName)) await this.note(fileName, fault)
    for (const [file, fault] of this.faults) this.log.error({ file, fault }, notServed)
  }

  /**
   * Reads a whole file and records it as damaged if it differs from what was written.
   *
   * @returns whether it is damaged
   * @throws FilesReplaced if another engine may have replaced and removed it; NotAtHand if it would
   *   have to be fetched, and that must not be waited for
   */
  async check(dataFile: DataFile): Promise<boolean> {
    // Readers, compaction and maintenance may hit the same file at once; one check serves all of
    // them. But one that fails because it must not wait for the file says nothing to others.
    const checks = mayWait() ? this.checks.waiting : this.checks.atHand
    const underWay = checks.get(dataFile.fileName)
    if (underWay !== undefined) return await underWay
    const check = this.checkNow(dataFile).finally(() => checks.delete(dataFile.fileName))
    checks.set(dataFile.fileName, check)
    return await check
  }

  /** Checks several, one after the other. Returns whether any is damaged. */
  async areSome(dataFiles: readonly DataFile[]): Promise<boolean> {
    let found = false
    for (const dataFile of dataFiles) if (await this.check(dataFile)) found = true
    return found
  }

  /**
   * The same but for those that would have to be fetched; what another engine has replaced is left
   * out.
   */
  async checkAll(dataFiles: readonly DataFile[]): Promise<void> {
    for (const dataFile of dataFiles) {
      if (!this.layout.files.isAtHand(this.layout.parquet(dataFile.fileName))) continue
      try {
        await this.check(dataFile)
      } catch (cause) {
        // The table no longer has it.
        if (!(cause instanceof FilesReplaced)) throw cause
      }
    }
  }

  private async checkNow(dataFile: DataFile): Promise<boolean> {
    if (this.has(dataFile)) return true
    const fault = await this.findFault(dataFile)
    if (fault === undefined) return false
    if (!(await this.isNamed(dataFile))) throw new FilesReplaced()
    await this.note(dataFile.fileName, fault)
    this.log.error({ file: dataFile.fileName, fault }, notServed)
    return true
  }

  private async findFault({ fileName, add }: DataFile): Promise<string | undefined> {
    const { files } = this.layout
    const path = this.layout.parquet(fileName)
    const find = async () => {
      using _ = await files.hold([path])
      return await findContentFault(path, add)
    }
    const fault = await find()
    return fault !== undefined && (await files.discardCopy(path)) ? await find() : fault
  }

  /** Whether files are gone because another engine replaced them. Ask after a failed read. */
  async wereReplaced(dataFiles: readonly DataFile[]): Promise<boolean> {
    for (const dataFile of dataFiles) {
      if (await this.layout.files.exists(this.layout.parquet(dataFile.fileName))) continue
      if (!(await this.isNamed(dataFile))) return true
    }
    return false
  }

  private async note(fileName: string, fault: string): Promise<void> {
    await ensureFolderDurably(this.layout.quarantine)
    await writeFileDurably(noteFile(this.layout, fileName), `${JSON.stringify({ fault })}\n`)
    this.faults.set(fileName, fault)
  }
}

const notServed = 'a data file is damaged and its rows are not served; stop the server and run "tracelake repair"'

/** The recorded damaged files and their faults. */
export async function readDamageNotes(layout: TableLayout): Promise<Map<string, string>> {
  const notes = new Map<string, string>()
  for (const name of await listFolder(layout.quarantine)) {
    if (!name.endsWith(ending)) continue
    const text = await findText(joinPath(layout.quarantine, name))
    notes.set(name.slice(0, -ending.length), faultIn(text))
  }
  return notes
}

/** The existence of the record counts; its text may itself be damaged. */
function faultIn(text: string | undefined): string {
  try {
    const { fault }: { fault?: unknown } = JSON.parse(text ?? '')
    return String(fault)
  } catch {
    return 'is damaged'
  }
}

export const removeDamageNote = (layout: TableLayout, fileName: string): Promise<void> =>
  removeFile(noteFile(layout, fileName))
