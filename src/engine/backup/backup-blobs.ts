import { listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { blobsFolder } from '../layout.ts'
import type { LinkOrCopy } from './link-or-copy.ts'

export interface BlobsOptions {
  readonly dataFolder: string
  readonly backupFolder: string
  readonly linkOrCopy: LinkOrCopy
  readonly onFile: (done: number) => void
}

/**
 * Adds the blobs that the backup lacks. Returns the names of all blobs, `<two
 * characters>/<digest>`.
 */
export async function backUpBlobs({
  dataFolder,
  backupFolder,
  linkOrCopy,
  onFile,
}: BlobsOptions): Promise<Set<string>> {
  const found = new Set<string>()
  const [source, copy] = [blobsFolder(dataFolder), blobsFolder(backupFolder)]
  await linkOrCopy.ensure(copy)
  for (const shard of await listFolder(source)) {
    const [from, to] = [joinPath(source, shard), joinPath(copy, shard)]
    const names = await listFolder(from)
    if (names.length > 0) await linkOrCopy.ensure(to)
    const present = new Set(await listFolder(to))
    for (const name of names) {
      // Blobs are content-addressed, so an existing one is up to date. One deleted in between was
      // unreferenced.
      if (!present.has(name)) await linkOrCopy.placeByName(from, to, name)
      found.add(`${shard}/${name}`)
      onFile(found.size)
    }
  }
  return found
}

/** Removes the blobs of the backup that are not in `named`. Returns how many. */
export async function removeUnreferencedBlobs(backupFolder: string, named: ReadonlySet<string>): Promise<number> {
  const copy = blobsFolder(backupFolder)
  let removed = 0
  for (const shard of await listFolder(copy)) {
    for (const name of await listFolder(joinPath(copy, shard))) {
      if (named.has(`${shard}/${name}`)) continue
      await removeFile(joinPath(copy, shard, name))
      removed++
    }
  }
  return removed
}
