import { DomainError } from '../../lib/errors.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { loadFilters, unloadedFilters } from '../data-files/deferred-filter.ts'
import type { TableLayers } from './table-layers.ts'

/**
 * Brings all data files of a table into its folder, and keeps them there until the result is
 * disposed of.
 *
 * @throws DomainError QueryTooLarge if they have more than `bytesMax` bytes; StoreUnavailable
 */
export async function holdDataFiles(
  layers: TableLayers,
  bytesMax: number,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  await using held = new AsyncDisposableStack()
  const { table, files, layout, size } = layers
  if (size.fileBytes > bytesMax)
    throw new DomainError(
      'QueryTooLarge',
      `The files of ${table.name} are larger than the cache of this server (${Math.floor(bytesMax / 1e6)} MB); use ` +
        'other operations, or read the bucket with another program',
    )
  const list = files.pin()
  held.defer(async () => {
    list.pins--
    await layers.removeUnneeded()
  })
  const paths = list.dataFiles.map(({ fileName }) => layout.parquet(fileName))
  held.use(await layout.files.hold(paths, signal))
  return held.move()
}

/** Waits for what lets a read skip data files, unless that takes long. */
export async function filtersLoaded({ layout, files: { dataFiles } }: TableLayers): Promise<void> {
  if (layout.files.filters === undefined) return
  const unloaded = unloadedFilters(dataFiles).length
  if (unloaded === 0 || unloaded > lakeLimits.filtersAwaitedMax) return
  await Promise.race([loadFilters(dataFiles), delay(lakeLimits.filtersAwaitedMsMax)])
}
