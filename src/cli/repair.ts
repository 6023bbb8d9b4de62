import { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { systemClock } from '../platform/clock.ts'
import { repairFolder } from '../records/maintenance/repair-folder.ts'
import type { FileRepair } from '../store/repair/repair-table.ts'
import { requireTables } from './require-tables.ts'
import { print, run } from './run.ts'

interface RepairCommandOptions {
  data?: string
  yes?: true
}

/** `repair`: takes damaged data files out of the tables, and keeps what can be read of them. */
export const repairCommand = (): Command =>
  new Command('repair')
    .description('take damaged data files out of the tables and keep what can be read of them, where no server runs')
    .option('--data <folder>', 'data folder (TRACELAKE_DATA, default ./data)')
    .option('--yes', 'do it; without, it is only said what would be done')
    .addHelpText('after', notes)
    .action((options: RepairCommandOptions, self: Command) => run(self, () => repair(self, options)))

const notes = `
A server leaves the rows of a damaged Parquet file out and refuses questions that need them. This reads every Parquet file
and replaces each that is not what was written by one with the rows that can still be trusted, row group by row group. The
damaged file goes into the folder _quarantine of its table. Updates that waited for it apply at the next start.

Better, where there is one: put the file of that name from a backup in its place; then nothing is lost.

Exit code: 0 where nothing was damaged or all of it is repaired, 1 where something would be repaired, 2 where a server runs.

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
  if (repairs.length === 0) print(self, `${data}: no data file is damaged.`)
  else if (!mayChange)
    throw new Error(
      `Repair ${data}: nothing was changed; --yes repairs ${countOf(repairs)}, which loses ${lost(repairs)}`,
    )
  else print(self, `${data}: ${countOf(repairs)} repaired, ${lost(repairs)} lost.`)
}

const count = (value: number): string => value.toLocaleString('en-US')
const countOf = ({ length }: readonly FileRepair[]): string => (length === 1 ? 'one file' : `${count(length)} files`)
const lost = (repairs: readonly FileRepair[]): string =>
  `${count(repairs.reduce((sum, one) => sum + one.lost, 0))} of ${count(repairs.reduce((sum, one) => sum + one.rows, 0))} rows`

function lineOf({ place, fault, rows, kept, lost, newer }: FileRepair): string {
  const others = newer === 0 ? '' : `, ${count(newer)} are in other files`
  return `${place}: ${fault}; of ${count(rows)} rows ${count(kept)} can be kept, ${count(lost)} are lost${others}`
}
