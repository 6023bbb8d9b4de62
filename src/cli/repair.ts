import { Command } from 'commander'
import { type RepairFolderOptions, repairFolder, repairLockedFolder } from '../domains/admin/index.ts'
import type { FileRepair } from '../engine/repair/repair-table.ts'
import { tables } from '../engine/tables/tables.ts'
import type { Config } from '../runtime/config/configuration.ts'
import { systemClock } from '../runtime/platform/clock.ts'
import { type PlaceOptions, placeConfig, withPlace } from './place.ts'
import { print, run } from './run.ts'
import { commandLog, refuseKept, requireTables } from './with-store.ts'

interface RepairCommandOptions extends PlaceOptions {
  readonly yes?: true
}

/** `repair`: replaces damaged data files with what can be recovered from them. */
export const repairCommand = (): Command =>
  withPlace(new Command('repair'))
    .description('replace damaged data files with what can be recovered from them; requires that no server is running')
    .option('--yes', 'repair the files; without it, only report what would be done')
    .addHelpText('after', notes)
    .action((options: RepairCommandOptions, self: Command) => run(self, () => repair(self, options)))

const notes = `
A server does not serve the rows of a damaged Parquet file and rejects queries that need them. This command checks every
Parquet file and replaces each damaged one with the rows that are still intact, one row group at a time. The damaged
file is moved to the _quarantine folder of its table. Updates held back because of it are applied at the next start.

If you have a backup, restore the file of that name from it instead; then nothing is lost.

A lake is fetched first, into a temporary folder. Without --yes, a server may be running on it. A damaged object stays
under its name, too, until the next server has run for the time for which old versions are kept.

Exit codes: 0 no damage, or everything repaired; 1 damage found, run again with --yes; 2 a server is running.

Examples:
  tracelake repair --data ./data
  tracelake repair --data ./data --yes
  tracelake repair --lake s3://my-bucket/traces`

async function repair(self: Command, options: RepairCommandOptions): Promise<void> {
  const config = placeConfig(options)
  const mayChange = options.yes === true
  const repairs: FileRepair[] = []
  const place = await repairPlace(config, options, {
    memoryBytesMax: config.memoryBytesMax,
    mayChange,
    clock: systemClock,
    log: commandLog(config),
    onRepair: (one) => {
      repairs.push(one)
      print(self, lineOf(one))
    },
  })
  if (repairs.length === 0) print(self, `${place}: no damaged data files.`)
  else if (!mayChange)
    throw new Error(
      `${place}: nothing was changed; run again with --yes to repair ${countOf(repairs)} and lose ${lost(repairs)}`,
    )
  else print(self, `${place}: ${countOf(repairs)} repaired, ${lost(repairs)} lost.`)
}

/** @returns the place as messages name it */
async function repairPlace(config: Config, { data }: PlaceOptions, options: RepairFolderOptions): Promise<string> {
  const { lake: settings, memoryBytesMax } = config
  if (settings === undefined) {
    await requireTables(config.data)
    await repairFolder({ ...options, dataFolder: config.data })
    return config.data
  }
  // What a folder has already is not compared with the store.
  refuseKept(data)
  const wanted = { tables, isTolerant: true }
  // Imported lazily: few commands need it.
  const { bringTo, readLake } = await import('./read-lake.ts')
  if (!options.mayChange)
    return await readLake({ config, settings, keptIn: undefined, wanted }, async (place) => {
      await repairFolder({ ...options, dataFolder: place.config.data })
      return place.name
    })
  const { ownLake } = await import('./own-lake.ts')
  const { repairedTable } = await import('../engine/lake/repaired-table.ts')
  return await ownLake({ settings, keptIn: undefined, log: options.log, instead: 'stop it' }, async (lake) => {
    const { store, cache, folder } = lake
    await bringTo({ store, folder: cache, wanted, memoryBytesMax })
    await repairLockedFolder(folder, { ...options, tableOf: (name) => repairedTable(store, cache, name) })
    return store.place
  })
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
