import { test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Documents } from '../../../src/runtime/documents/documents.ts'
import { FolderDocuments } from '../../../src/runtime/documents/folder-documents.ts'
import { ObjectDocuments } from '../../../src/runtime/documents/object-documents.ts'
import { openObjectStore } from '../../../src/runtime/objects/open-object-store.ts'
import { isInLake, lakeOf } from './lake-place.ts'

/** What a server keeps beside its tables. */
export const documentsOf = async (data: string): Promise<Documents> =>
  isInLake
    ? new ObjectDocuments({ store: await openObjectStore(lakeOf(data)), node: 'test' })
    : new FolderDocuments(data)

/** The names of what a server has stored in one of its folders, such as `blobs`. */
export async function storedNames(data: string, folder: string): Promise<string[]> {
  if (!isInLake) return await readdir(join(data, folder))
  const store = await openObjectStore(lakeOf(data))
  return (await Array.fromAsync(store.list(`${folder}/`))).map(({ name }) => name)
}

/** Replaces a document by any text. */
export async function storeRaw(data: string, name: string, text: string): Promise<void> {
  if (isInLake) await (await openObjectStore(lakeOf(data))).put(name, new TextEncoder().encode(text))
  else await writeFile(join(data, name), text)
}

/** Why a test does not apply where servers keep their data in a lake. */
const onlyInFolders = {
  'modes of files': 'objects have none; `src/runtime/documents/documents.test.ts` has those of a lake in a folder',
  'names of contents': 'a lake has other names and keeps strays for an hour: `src/engine/blobs/blob-store.test.ts`',
  'another program': 'it would have to commit to the store: `test/store/lake.test.ts` has late commits of other nodes',
} as const

/** A test that is left out in a lake. */
export const testOfFolder = (_reason: keyof typeof onlyInFolders) => test.skipIf(isInLake)
