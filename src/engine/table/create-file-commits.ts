import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import type { DataFile } from '../data-files/data-file.ts'
import { openDataFiles } from '../data-files/open-data-files.ts'
import { DataFolderError } from '../data-folder-error.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import { fileKey } from '../delta/delta-state.ts'
import type { Mutex } from '../mutex.ts'
import { FileCommits } from './file-commits.ts'
import { missingColumns, requireSchema, writeRefusal } from './table-access.ts'
import type { TableLayers } from './table-layers.ts'

/** The commits of a table whose files are those of `layers`. */
export function createFileCommits(options: {
  layers: TableLayers
  deltaLog: DeltaLog
  followConnection: Writer
  layersLock: Mutex
  assertHeld: () => Promise<void>
  log: Log
}): FileCommits<DataFile> {
  const { layers, deltaLog, followConnection, layersLock, assertHeld, log } = options
  const { table, layout } = layers
  return new FileCommits({
    deltaLog,
    followConnection,
    log,
    table: {
      files: () => layers.files.dataFiles,
      open: async (state, known) => {
        requireSchema(table, state)
        const missing = missingColumns(table, state)
        if (missing.length > 0)
          throw new DataFolderError(
            `Cannot use table ${table.name}: another engine has dropped its columns ${missing.join(', ')}; ` +
              `restart the server to add them again`,
          )
        const mayWrite = writeRefusal(table, state) === undefined
        const open = new Map(known.map((dataFile) => [fileKey(dataFile.add), dataFile]))
        const dataFiles: DataFile[] = []
        for (const file of state.files) {
          const dataFile = open.get(fileKey(file.add))
          if (dataFile !== undefined) dataFiles.push(dataFile)
          else
            dataFiles.push(
              ...(await openDataFiles({ writer: followConnection, table, layout, files: [file], log, mayWrite })),
            )
        }
        return dataFiles
      },
      follow: (change) => layersLock.run(() => layers.follow(change)),
      refusal: (state) => writeRefusal(table, state),
      assertHeld,
    },
  })
}
