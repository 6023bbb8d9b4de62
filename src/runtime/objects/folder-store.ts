import { describeDiskFault } from '../../lib/errors.ts'
import { randomHex, sha256Hex } from '../platform/crypto.ts'
import { ensureFolderDurably, linked, syncFolder } from '../platform/files/durable-files.ts'
import { withFileLock } from '../platform/files/file-lock.ts'
import { codeOf, removeFile } from '../platform/files/files.ts'
import {
  type FileState,
  findFileState,
  listFilesBelow,
  replaceFile,
  writeNewFile,
} from '../platform/files/object-files.ts'
import { absolutePath, dirName, joinPath } from '../platform/files/paths.ts'
import { RandomAccessFile } from '../platform/files/random-access-file.ts'
import {
  assertObjectName,
  type ByteRange,
  isObjectError,
  type ObjectInfo,
  type ObjectStore,
  ObjectStoreError,
  type PutCondition,
  type StoredObject,
} from './object-store.ts'
import type { RequestCounts, RequestKind } from './request-counts.ts'

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

const lockOptions = { staleAfterMs: 10_000, waitMs: 10_000 }
const mebibyte = 1024 * 1024

/**
 * Objects as files of a folder, which several processes of one machine may use at the same time.
 * Each is written under a temporary name and then linked (if-absent) or renamed. A put if-match
 * compares and renames under a lock of the name.
 */
export class FolderStore implements ObjectStore {
  readonly place: string
  private readonly root: string
  private readonly counts: RequestCounts | undefined
  /** Folders that are there, durably. */
  private readonly made = new Set<string>()

  constructor(folder: string, counts?: RequestCounts) {
    this.counts = counts
    this.place = folder
    this.root = absolutePath(folder)
  }

  get(name: string, { range }: { range?: ByteRange | undefined } = {}): Promise<StoredObject> {
    return this.explained('get', name, async () => {
      const file = this.fileOf(name)
      const state = await findFileState(file)
      await using opened = state && (await RandomAccessFile.find(file))
      if (state === undefined || opened === undefined) throw this.absent('read', name)
      const { start, length } = range ?? { start: 0, length: state.bytes }
      const bytes = await opened.read(start, Math.min(length, Math.max(0, state.bytes - start)))
      return { result: { bytes, tag: state.version }, received: bytes.length }
    })
  }

  head(name: string): Promise<ObjectInfo | undefined> {
    return this.explained('head', name, async () => {
      const state = await findFileState(this.fileOf(name))
      return { result: state && { name, bytes: state.bytes, tag: state.version } }
    })
  }

  put(name: string, bytes: Uint8Array, { when }: { when?: PutCondition | undefined } = {}): Promise<string> {
    // In pieces, so that a large object does not keep the thread that writes it from others.
    return this.write(name, piecesOf(bytes), when)
  }

  putLarge(name: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
    return this.write(name, pieces, undefined)
  }

  delete(name: string): Promise<void> {
    return this.explained('delete', name, async () => ({ result: await removeFile(this.fileOf(name)) }))
  }

  async *list(prefix: string, { after = '' }: { after?: string | undefined } = {}): AsyncGenerator<ObjectInfo> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    yield* await this.explained('list', prefix, async () => {
      const names = (await listFilesBelow(joinPath(this.root, folder))).map((name) => folder + name)
      const result: ObjectInfo[] = []
      for (const name of names.filter((each) => each.startsWith(prefix) && each > after).sort()) {
        const state = await findFileState(this.fileOf(name))
        if (state !== undefined)
          result.push({ name, bytes: state.bytes, tag: state.version, modifiedMs: state.modifiedMs })
      }
      return { result }
    })
  }

  private fileOf(name: string): string {
    assertObjectName(name)
    return joinPath(this.root, name)
  }

  private write(name: string, pieces: Pieces, when: PutCondition | undefined): Promise<string> {
    return this.explained('put', name, async () => {
      const file = this.fileOf(name)
      await this.makeFolder(dirName(file))
      await this.makeFolder(joinPath(this.root, own))
      const temporary = joinPath(this.root, own, `${randomHex(12)}.tmp`)
      const before = await findFileState(file)
      try {
        await writeNewFile(temporary, pieces, { newerThanMs: before?.modifiedMs, mode: modeOf(name) })
        if (when === undefined) await replaceFile(temporary, file)
        else if ('ifAbsent' in when) await this.publishIfAbsent(temporary, name, file)
        else await this.publishIfMatch(temporary, name, file, when.ifMatch, before)
        const after = await findFileState(file)
        return { result: after?.version ?? '', sent: after?.bytes ?? 0 }
      } finally {
        await removeFile(temporary)
      }
    })
  }

  private async publishIfAbsent(temporary: string, name: string, file: string): Promise<void> {
    const isOurs = await linked(temporary, file)
    if (isOurs === false) throw this.lostRace(name)
    if (isOurs === true) return await syncFolder(dirName(file))
    await this.locked(name, async () => {
      if ((await findFileState(file)) !== undefined) throw this.lostRace(name)
      await replaceFile(temporary, file)
    })
  }

  /** @param before the file that the temporary one is newer than */
  private async publishIfMatch(
    temporary: string,
    name: string,
    file: string,
    tag: string,
    before: FileState | undefined,
  ): Promise<void> {
    if (before?.version !== tag) throw this.lostRace(name)
    await this.locked(name, async () => {
      if ((await findFileState(file))?.version !== tag) throw this.lostRace(name)
      await replaceFile(temporary, file)
    })
  }

  private async locked(name: string, work: () => Promise<void>): Promise<void> {
    const lock = joinPath(this.root, own, `${sha256Hex(name).slice(0, 32)}.lock`)
    await withFileLock(lock, lockOptions, async ({ isHeld }) => {
      if (!(await isHeld())) throw this.lostRace(name)
      await work()
    })
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.made.has(folder)) return
    await ensureFolderDurably(folder)
    this.made.add(folder)
  }

  private absent(action: string, name: string): ObjectStoreError {
    return new ObjectStoreError('absent', `Cannot ${action} ${this.place}/${name}: there is no such object`)
  }

  private lostRace(name: string): ObjectStoreError {
    return new ObjectStoreError('lost-race', `Cannot write ${this.place}/${name}: another writer was first`)
  }

  private async explained<T>(kind: RequestKind, name: string, work: () => Promise<Done<T>>): Promise<T> {
    try {
      const { result, ...bytes } = await work()
      this.counts?.add(kind, bytes)
      return result
    } catch (cause) {
      const isAnswer = isObjectError(cause, 'absent') || isObjectError(cause, 'lost-race')
      this.counts?.add(kind, { isFailure: !isAnswer })
      if (cause instanceof ObjectStoreError || cause instanceof TypeError) throw cause
      const code = String(codeOf(cause) ?? '')
      const errorKind = code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'refused' : 'unexpected'
      const why = describeDiskFault(cause) ?? (cause instanceof Error ? cause.message : String(cause))
      throw new ObjectStoreError(errorKind, `Cannot ${verbs[kind]} ${this.place}/${name}: ${why}`, { cause })
    }
  }
}

/** What is not in a folder are documents, with keys and secrets, which nobody else may read. */
const modeOf = (name: string): number => (name.includes('/') ? 0o666 : 0o600)

const verbs: Readonly<Record<RequestKind, string>> = {
  get: 'read',
  head: 'look up',
  put: 'write',
  delete: 'delete',
  list: 'list',
}

/** What a request has done, and the bytes that it has moved. */
interface Done<T> {
  readonly result: T
  readonly sent?: number
  readonly received?: number
}

/** The folder for temporary files and locks. No object has a name like this. */
const own = '.writing'

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += mebibyte) yield bytes.subarray(start, start + mebibyte)
}
