import type { Table } from '../../lib/table.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { assertObjectName } from '../../runtime/objects/object-store.ts'
import { fileExists, findFileBytes, listFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import { checkpointName, checkpointVersion, lastCheckpointName, writeCheckpoint } from '../delta/checkpoint.ts'
import { commitVersion } from '../delta/commit-file.ts'
import { vectorFileName } from '../delta/deletion-vector.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { DataFolderError, TableLayout, tablesFolder } from '../layout.ts'
import { readTableOnDisk } from '../table/table-on-disk.ts'
import type { CopiedTable } from './copy-marker.ts'
import { hasRowsInLogOnly } from './rows-in-log.ts'

export interface FileToCopy {
  /** Relative to the folder; also the name of the object. */
  readonly name: string
  readonly bytes: number
}

/** The files of a data folder that no process is writing to. */
export interface FolderSnapshot {
  readonly tables: Readonly<Record<string, CopiedTable>>
  /** In any order: nothing refers to one before the Delta logs do. */
  readonly content: readonly FileToCopy[]
  /** Delta logs, in the order in which they have to appear. */
  readonly logs: readonly FileToCopy[]
}

export interface SnapshotOptions {
  readonly writer: Writer
  readonly dataFolder: string
  /** Referencing tables first. Others in the folder are copied too. */
  readonly knownTables: readonly Table[]
  /** Files at the top of the folder. They may be missing. */
  readonly rootFiles: readonly string[]
  /** Leaves out a checkpoint that would have to be written. */
  readonly isDryRun: boolean
}

/**
 * Lists what has to be copied.
 *
 * @throws DataFolderError if rows are in the write-ahead log only
 */
export async function readSnapshot(options: SnapshotOptions): Promise<FolderSnapshot> {
  const { writer, dataFolder, knownTables, rootFiles, isDryRun } = options
  const found = new Found(dataFolder, isDryRun ? undefined : writer)
  for (const name of rootFiles) await found.addIfThere(name)
  for (const shard of await listFolder(joinPath(dataFolder, 'blobs')))
    for (const name of await listFolder(joinPath(dataFolder, 'blobs', shard))) await found.add(`blobs/${shard}/${name}`)
  const present = await listFolder(tablesFolder(dataFolder))
  // Referenced tables first, so that an interrupted copy has no dangling references.
  const known = new Map(knownTables.toReversed().map((table) => [table.name, table]))
  for (const name of new Set([...known.keys(), ...present])) {
    if (!present.includes(name)) continue
    const layout = new TableLayout(dataFolder, name)
    const onDisk = await readTableOnDisk(writer, layout)
    const { state } = onDisk
    if (await hasRowsInLogOnly(writer, known.get(name), layout, onDisk))
      throw new DataFolderError(
        `Cannot copy ${dataFolder}: it has rows that are in the write-ahead log only, as after a crash; ` +
          `run "tracelake flush --data ${dataFolder}" first`,
      )
    if (state.version < 0) continue
    await found.addTable(layout, `tables/${name}`, state)
    found.tables[name] = { id: state.metaData?.id ?? '', version: state.version }
  }
  return found
}

class Found implements FolderSnapshot {
  readonly tables: Record<string, CopiedTable> = {}
  readonly content: FileToCopy[] = []
  readonly logs: FileToCopy[] = []
  private readonly folder: string
  private readonly writer: Writer | undefined

  /** @param writer writes checkpoints that are missing */
  constructor(folder: string, writer: Writer | undefined) {
    this.folder = folder
    this.writer = writer
  }

  async add(name: string, to = this.content): Promise<void> {
    if (await this.addIfThere(name, to)) return
    throw new Error(`Cannot copy ${joinPath(this.folder, name)}: it is missing; run "tracelake verify"`)
  }

  async addIfThere(name: string, to = this.content): Promise<boolean> {
    const bytes = await findFileBytes(joinPath(this.folder, name))
    if (bytes === undefined) return false
    try {
      assertObjectName(name)
    } catch (cause) {
      throw new DataFolderError(`Cannot copy ${name}: an object may not have that name; run "tracelake compact"`, {
        cause,
      })
    }
    to.push({ name, bytes })
    return true
  }

  async addTable(layout: TableLayout, folder: string, state: DeltaState): Promise<void> {
    for (const { add } of state.files) {
      const name = fileNameOf(add.path)
      await this.add(`${folder}/${name}`)
      if (add.deletionVector !== undefined) {
        const vector = vectorFileName(add.deletionVector)
        if (vector !== undefined) await this.add(`${folder}/${vector}`)
      }
      // Those of files in subfolders, which other engines write, are rebuilt.
      if (!name.includes('/'))
        for (const path of layout.indexFiles(name)) await this.addIfThere(folder + path.slice(layout.folder.length))
    }
    for (const name of await listFolder(layout.filters))
      if (name.endsWith('.group')) await this.add(`${folder}/_filters/${name}`)
    for (const name of await listFolder(layout.quarantine)) await this.add(`${folder}/_quarantine/${name}`)
    await this.addLog(layout, `${folder}/_delta_log`, state)
  }

  /**
   * A checkpoint of the newest version comes first: it is one object, and readers need nothing else
   * of the log. The commits before it are for those who ask about the past.
   */
  private async addLog(layout: TableLayout, folder: string, state: DeltaState): Promise<void> {
    const newest = checkpointName(state.version)
    const isThere = await fileExists(joinPath(layout.deltaLog, newest))
    if (!isThere && this.writer !== undefined) await writeCheckpoint(this.writer, layout.deltaLog, state.checkpoint)
    for (const name of [newest, lastCheckpointName]) await this.addIfThere(`${folder}/${name}`, this.logs)
    for (const name of await listFolder(layout.deltaLog))
      if (name !== newest && (commitVersion(name) ?? checkpointVersion(name)) !== undefined)
        await this.add(`${folder}/${name}`, this.logs)
  }
}
