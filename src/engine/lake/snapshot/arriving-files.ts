import { Downloads, type SizedObject } from '../../../runtime/objects/download.ts'
import type { ObjectStore } from '../../../runtime/objects/object-store.ts'
import { randomHex } from '../../../runtime/platform/crypto.ts'
import { ensureFolderDurably, publishFile, syncFolder } from '../../../runtime/platform/files/durable-files.ts'
import { findFileBytes } from '../../../runtime/platform/files/files.ts'
import { linkOrCopyFile } from '../../../runtime/platform/files/link-or-copy-file.ts'
import { dirName, joinPath } from '../../../runtime/platform/files/paths.ts'
import { temporaryFolder } from '../../layout.ts'

/** Immutable objects that become files of a folder, durably and under the same names. */
export class ArrivingFiles {
  readonly store: ObjectStore
  readonly folder: string
  /** All files, and those that the folder did not have. */
  readonly counts = { files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  private readonly downloads: Downloads
  private readonly isPlan: boolean
  private readonly beside: string | undefined
  private readonly counted = new Set<string>()

  /**
   * @param options `isPlan`: counts files, and fetches none; `beside`: a folder that may have some
   *   of the files, which are then linked or copied
   */
  constructor(
    store: ObjectStore,
    folder: string,
    { isPlan = false, beside }: { readonly isPlan?: boolean; readonly beside?: string | undefined } = {},
  ) {
    this.store = store
    this.folder = folder
    this.downloads = new Downloads(store)
    this.isPlan = isPlan
    this.beside = beside
  }

  /**
   * Brings an object. A file of that name and size is the object: it got its name when it was
   * complete.
   *
   * @param options `name`: of the file; `isLog`: says what else there is to bring
   * @throws ObjectStoreError absent
   */
  async bring(
    object: SizedObject,
    { name = object.name, isLog = false }: { readonly name?: string; readonly isLog?: boolean } = {},
  ): Promise<void> {
    const file = joinPath(this.folder, name)
    const isThere = (await findFileBytes(file)) === object.bytes
    this.count(name, object.bytes, isThere)
    if (isThere || (this.isPlan && !isLog)) return
    await ensureFolderDurably(dirName(file))
    const temporary = joinPath(temporaryFolder(this.folder), randomHex(12))
    // Only names of contents are unique everywhere.
    if (!isLog && (await this.linked({ name, bytes: object.bytes }, file, temporary))) return
    await this.downloads.fetch(object, temporary)
    await publishFile(temporary, file)
  }

  /** A file counts once, however often its table is read. */
  private count(name: string, bytes: number, isThere: boolean): void {
    if (this.counted.has(name)) return
    this.counted.add(name)
    this.counts.files++
    this.counts.bytes += bytes
    if (isThere) return
    this.counts.newFiles++
    this.counts.newBytes += bytes
  }

  private async linked({ name, bytes }: SizedObject, file: string, temporary: string): Promise<boolean> {
    if (this.beside === undefined) return false
    const from = joinPath(this.beside, name)
    if ((await findFileBytes(from)) !== bytes) return false
    const how = await linkOrCopyFile(from, file, { temporary, mayLink: true })
    if (how !== undefined) await syncFolder(dirName(file))
    return how !== undefined
  }
}
