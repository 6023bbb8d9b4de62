import type { BlobPlace } from '../engine/blobs/blob-place.ts'
import { FolderBlobs } from '../engine/blobs/folder-blobs.ts'
import type { FileCache } from '../engine/lake/cache/file-cache.ts'
import type { LakeOptions } from '../engine/lake-parts.ts'
import { blobsFolder } from '../engine/layout.ts'
import type { Config } from '../runtime/config/configuration.ts'
import type { Clock } from '../runtime/platform/clock.ts'
import type { LakeCounts } from './metrics/lake-metrics.ts'

/** A lake with the cache that its immutable files share. */
export interface CachedLake extends LakeOptions {
  readonly cache: FileCache
  readonly counts?: LakeCounts | undefined
}

/**
 * The contents of uploaded files.
 *
 * @param lake where the data is, if it is not in the data folder
 */
export async function openBlobs(
  { data }: Pick<Config, 'data'>,
  clock: Clock,
  lake: CachedLake | undefined,
): Promise<BlobPlace> {
  if (lake === undefined) return await FolderBlobs.open(blobsFolder(data))
  const { ObjectBlobs } = await import('../engine/blobs/object-blobs.ts')
  return new ObjectBlobs({ ...lake, clock })
}
