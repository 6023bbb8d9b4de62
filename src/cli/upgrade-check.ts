import { Command } from 'commander'
import { type FolderFormat, findFolderFormat, folderFormat } from '../engine/folder/folder-format.ts'
import { version } from '../lib/version.ts'
import { openObjectStore } from '../runtime/objects/open-object-store.ts'
import { type PlaceOptions, placeConfig, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { requireTables } from './with-store.ts'

/** `upgrade-check`: says what starting this version on existing data would do. Changes nothing. */
export const upgradeCheckCommand = (): Command =>
  withPlace(new Command('upgrade-check'))
    .description('say whether this version can open the data, and whether earlier versions could afterwards')
    .addHelpText('after', notes)
    .action((options: PlaceOptions, self: Command) => run(self, () => check(self, options)))

const notes = `
Changes nothing, and is safe while a server of another version is running.
Exit codes: 0 this version can open the folder or lake, 2 it cannot.

Examples:
  tracelake upgrade-check --data ./data
  tracelake upgrade-check --lake s3://my-bucket/traces`

async function check(self: Command, options: PlaceOptions): Promise<void> {
  const { place, found } = await findFormat(options)
  const format = found?.format ?? 1
  const recordedBy = found === undefined ? 'no version yet' : `tracelake ${found.written_by}`
  print(
    self,
    `${place}: format ${format}, recorded by ${recordedBy}`,
    `tracelake ${version} reads formats up to ${folderFormat} and writes format ${folderFormat}.`,
    format === folderFormat
      ? 'It can open the data; earlier versions of the same format can open it again afterwards.'
      : `It can open the data, and then only versions that read format ${folderFormat} can: make a backup first.`,
  )
}

async function findFormat(options: PlaceOptions): Promise<{ place: string; found: FolderFormat | undefined }> {
  const { data, lake } = placeConfig(options)
  if (lake === undefined) {
    await requireTables(data)
    return { place: data, found: await findFolderFormat(data) }
  }
  // Imported lazily: few commands need it.
  const { findLakeFormat } = await import('../engine/lake/check-lake.ts')
  const store = await openObjectStore(lake.address, lake)
  return { place: store.place, found: await findLakeFormat(store) }
}
