import { listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { blobsFolder } from '../layout.ts'
import type { LinkOrCopy } from './link-or-copy.ts'

export interface BlobsOptions {
  readonly dataFolder: string
  readonly backupFolder: string
  readonly linkOrCopy: LinkOrCopy
  readonly onFile: (done: number) => void
}

/** Puts contents that the backup does not have into it; returns the names of all that there are, `<two characters>/<digest>`. */
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
      // A content under its digest is always the same; one that goes meanwhile belongs to nobody.
      if (!present.has(name)) await linkOrCopy.placeByName(from, to, name)
      found.add(`${shard}/${name}`)
      onFile(found.size)
    }
  }
  return found
}

/** Removes contents of the backup that are not among the named; returns how many. */
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
