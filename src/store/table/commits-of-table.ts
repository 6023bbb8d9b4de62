import type { Writer } from '../../duck/writer.ts'
import type { Log } from '../../log.ts'
import type { Segment } from '../data-files/segment.ts'
import { openSegments } from '../data-files/segments.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import { fileKey } from '../delta/delta-state.ts'
import { FolderRefused } from '../folder-refused.ts'
import type { Mutex } from '../mutex.ts'
import { FileCommits } from './file-commits.ts'
import { demandReadableAs, lackedColumns, writeRefusal } from './table-access.ts'
import type { TableLayers } from './table-layers.ts'

/** The commits of a table whose files are those of `layers`. */
export function commitsOf(options: {
  layers: TableLayers
  deltaLog: DeltaLog
  scout: Writer
  layersLock: Mutex
  assertHeld: () => Promise<void>
  log: Log
}): FileCommits<Segment> {
  const { layers, deltaLog, scout, layersLock, assertHeld, log } = options
  const { table, layout } = layers
  return new FileCommits({
    deltaLog,
    scout,
    log,
    table: {
      files: () => layers.files.segments,
      open: async (state, known) => {
        demandReadableAs(table, state)
        const lacked = lackedColumns(table, state)
        if (lacked.length > 0)
          throw new FolderRefused(
            `Use the table ${table.name}: another program has taken ${lacked.join(', ')} out of its columns; the next start puts them back`,
          )
        const mayWrite = writeRefusal(table, state) === undefined
        const open = new Map(known.map((segment) => [fileKey(segment.add), segment]))
        const segments: Segment[] = []
        for (const file of state.files) {
          const segment = open.get(fileKey(file.add))
          if (segment !== undefined) segments.push(segment)
          else segments.push(...(await openSegments({ writer: scout, table, layout, files: [file], log, mayWrite })))
        }
        return segments
      },
      follow: (change) => layersLock.run(() => layers.follow(change)),
      refusal: (state) => writeRefusal(table, state),
      assertHeld,
    },
  })
}
