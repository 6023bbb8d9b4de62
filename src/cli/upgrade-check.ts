import { Command } from 'commander'
import { findFolderFormat, folderFormat } from '../engine/folder/folder-format.ts'
import { version } from '../lib/version.ts'
import { loadConfig } from '../runtime/config.ts'
import { print, run } from './run.ts'
import { requireTables } from './with-store.ts'

/** `upgrade-check`: says what starting this version on a folder would do. Changes nothing. */
export const upgradeCheckCommand = (): Command =>
  new Command('upgrade-check')
    .description('say whether this version can open the data folder, and whether earlier versions could afterwards')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .addHelpText('after', notes)
    .action((options: { data?: string }, self: Command) => run(self, () => check(self, options)))

const notes = `
Changes nothing, and is safe while a server of another version is running.
Exit codes: 0 this version can open the folder, 2 it cannot.`

async function check(self: Command, options: { data?: string }): Promise<void> {
  const { data } = loadConfig(options)
  await requireTables(data)
  const found = await findFolderFormat(data)
  const format = found?.format ?? 1
  const recordedBy = found === undefined ? 'no version yet' : `tracelake ${found.written_by}`
  print(
    self,
    `${data}: format ${format}, recorded by ${recordedBy}`,
    `tracelake ${version} reads formats up to ${folderFormat} and writes format ${folderFormat}.`,
    format === folderFormat
      ? 'It can open the folder; earlier versions of the same format can open it again afterwards.'
      : `It can open the folder, and then only versions that read format ${folderFormat} can: make a backup first.`,
  )
}
