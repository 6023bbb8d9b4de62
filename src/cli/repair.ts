import { Command } from 'commander'
import { repairFolder } from '../domains/admin/index.ts'
import type { FileRepair } from '../engine/repair/repair-table.ts'
import { loadConfig } from '../runtime/config.ts'
import { createLog } from '../runtime/log.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { print, run } from './run.ts'
import { requireTables } from './with-store.ts'

interface RepairCommandOptions {
  data?: string
  yes?: true
}

/** `repair`: replaces damaged data files with what can be recovered from them. */
export const repairCommand = (): Command =>
  new Command('repair')
    .description('replace damaged data files with what can be recovered from them; requires that no server is running')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .option('--yes', 'repair the files; without it, only report what would be done')
    .addHelpText('after', notes)
    .action((options: RepairCommandOptions, self: Command) => run(self, () => repair(self, options)))

const notes = `
A server does not serve the rows of a damaged Parquet file and rejects queries that need them. This command checks every
Parquet file and replaces each damaged one with the rows that are still intact, one row group at a time. The damaged
file is moved to the _quarantine folder of its table. Updates held back because of it are applied at the next start.

If you have a backup, restore the file of that name from it instead; then nothing is lost.

Exit codes: 0 no damage, or everything repaired; 1 damage found, run again with --yes; 2 a server is running.

Examples:
  tracelake repair --data ./data
  tracelake repair --data ./data --yes`

async function repair(self: Command, options: RepairCommandOptions): Promise<void> {
  const { data, memoryBytesMax, logLevel } = loadConfig(options)
  await requireTables(data)
  const mayChange = options.yes === true
  const repairs: FileRepair[] = []
  await repairFolder({
    dataFolder: data,
    memoryBytesMax,
    mayChange,
    clock: systemClock,
    log: createLog(logLevel === 'info' ? 'warn' : logLevel),
    onRepair: (one) => {
      repairs.push(one)
      print(self, lineOf(one))
    },
  })
  if (repairs.length === 0) print(self, `${data}: no damaged data files.`)
  else if (!mayChange)
    throw new Error(
      `${data}: nothing was changed; run again with --yes to repair ${countOf(repairs)} and lose ${lost(repairs)}`,
    )
  else print(self, `${data}: ${countOf(repairs)} repaired, ${lost(repairs)} lost.`)
}

const count = (value: number): string => value.toLocaleString('en-US')
const countOf = ({ length }: readonly FileRepair[]): string => (length === 1 ? '1 file' : `${count(length)} files`)
const lost = (repairs: readonly FileRepair[]): string =>
  `${count(repairs.reduce((sum, one) => sum + one.lost, 0))} of ` +
  `${count(repairs.reduce((sum, one) => sum + one.rows, 0))} rows`

function lineOf({ place, fault, rows, kept, lost, newer }: FileRepair): string {
  const others = newer === 0 ? '' : `, ${count(newer)} superseded by other files`
  return `${place}: ${fault}; of ${count(rows)} rows, ${count(kept)} can be kept, ${count(lost)} are lost${others}`
}
