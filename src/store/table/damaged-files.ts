import type { Log } from '../../log.ts'
import { ensureFolderDurably, writeFileDurably } from '../../platform/durable-files.ts'
import { fileExists, findText, listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { findContentFault } from '../data-files/file-checksum.ts'
import type { TableLayout } from '../layout.ts'
import { FilesReplaced } from './files-replaced.ts'

const ending = '.damaged.json'
const noteFile = (layout: TableLayout, fileName: string): string => joinPath(layout.quarantine, fileName + ending)

/**
 * Files of a table that are not what was written. Their rows are not served, and no row that changes one of theirs takes it out of them: `tracelake
 * repair` does both. So what is known to be damaged is noted beside the table, and stays so over a start.
 */
export class DamagedFiles {
  private readonly faults = new Map<string, string>()
  /** By file name, those under way. */
  private readonly checks = new Map<string, Promise<boolean>>()
  private readonly layout: TableLayout
  private readonly isNamed: (dataFile: DataFile) => Promise<boolean>

  /** @param isNamed whether the Delta log, as it is on the disk now, names a file */
  constructor(layout: TableLayout, isNamed: (dataFile: DataFile) => Promise<boolean>) {
    this.layout = layout
    this.isNamed = isNamed
  }

  get count(): number {
    return this.faults.size
  }

  has = ({ fileName }: DataFile): boolean => this.faults.has(fileName)

  /** Files among these, if any, that are damaged. */
  among(dataFiles: readonly DataFile[]): DataFile[] {
    return this.faults.size === 0 ? [] : dataFiles.filter(this.has)
  }

  /** Takes up what an earlier process noted, and notes what a start has found. */
  async load(found: ReadonlyMap<string, string>, dataFiles: readonly DataFile[], log: Log): Promise<void> {
    const notes = await readDamageNotes(this.layout)
    for (const { fileName } of dataFiles) {
      const fault = notes.get(fileName)
      if (fault !== undefined) this.faults.set(fileName, fault)
    }
    for (const [fileName, fault] of found) if (!this.faults.has(fileName)) await this.note(fileName, fault)
    for (const [file, fault] of this.faults) log.error({ file, fault }, notServed)
  }

  /**
   * Reads all of a file, and takes it for damaged where it is not what was written.
   *
   * @returns whether it is
   * @throws FilesReplaced where it may be that another program has replaced and removed it
   */
  async check(dataFile: DataFile, log: Log): Promise<boolean> {
    // Readers, merges and the upkeep may meet the same file at once; one of them reads it for all.
    const underWay = this.checks.get(dataFile.fileName)
    if (underWay !== undefined) return await underWay
    const check = this.checkNow(dataFile, log).finally(() => this.checks.delete(dataFile.fileName))
    this.checks.set(dataFile.fileName, check)
    return await check
  }

  private async checkNow(dataFile: DataFile, log: Log): Promise<boolean> {
    if (this.has(dataFile)) return true
    const fault = await findContentFault(this.layout.parquet(dataFile.fileName), dataFile.add)
    if (fault === undefined) return false
    if (!(await this.isNamed(dataFile))) throw new FilesReplaced()
    await this.note(dataFile.fileName, fault)
    log.error({ file: dataFile.fileName, fault }, notServed)
    return true
  }

  /** Whether some of the files are gone because another program has replaced them. To be asked when reading them has failed. */
  async wereReplaced(dataFiles: readonly DataFile[]): Promise<boolean> {
    for (const dataFile of dataFiles) {
      if (await fileExists(this.layout.parquet(dataFile.fileName))) continue
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

const notServed = 'a data file is damaged: its rows are not served; stop the server and run "tracelake repair"'

/** Names of files that were found to be damaged, and what is wrong with them. */
export async function readDamageNotes(layout: TableLayout): Promise<Map<string, string>> {
  const notes = new Map<string, string>()
  for (const name of await listFolder(layout.quarantine)) {
    if (!name.endsWith(ending)) continue
    const text = await findText(joinPath(layout.quarantine, name))
    notes.set(name.slice(0, -ending.length), faultIn(text))
  }
  return notes
}

/** The note is what counts; its words may have been damaged themselves. */
function faultIn(text: string | undefined): string {
  try {
    return String((JSON.parse(text ?? '') as { fault?: unknown }).fault)
  } catch {
    return 'was found to be damaged'
  }
}

export const removeDamageNote = (layout: TableLayout, fileName: string): Promise<void> =>
  removeFile(noteFile(layout, fileName))
