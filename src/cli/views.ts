import { Command, Option } from 'commander'
import { type EngineName, engines, usedRates, viewStatements, viewsWith } from '../domains/views/index.ts'
import { callsTable } from '../engine/tables/calls-table.ts'
import { costsTable } from '../engine/tables/costs-table.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { absolutePath, joinPath } from '../runtime/platform/files/paths.ts'
import { exitOnBrokenPipe, writeStdout } from '../runtime/platform/runtime.ts'
import { type PlaceOptions, withPlace } from './place.ts'
import type { ReadablePlace } from './read-lake.ts'
import { readPlace } from './read-place.ts'
import { run } from './run.ts'

const engineNames = Object.keys(engines)

/** `views`: prints views of a data folder for another engine. */
export const viewsCommand = (): Command =>
  withPlace(new Command('views'))
    .description('print CREATE VIEW statements with which another engine reads a data folder or a lake')
    .argument('[folder]', 'data folder, as with --data')
    .addOption(new Option('--engine <name>', 'engine that will run them').choices(engineNames).makeOptionMandatory())
    .option(
      '--location <path-or-url>',
      'where the engine finds the folder or a copy of it (default: its path, or the address of the lake)',
    )
    .option('--tables <template>', 'how the statements name a table, with {table} in the place of its name')
    .option('--schema <name>', 'schema of the views (default: tracelake; for trino: delta.tracelake)')
    .option('--project <entity/project>', 'show the rows of one project only')
    .addHelpText('after', notes)
    .action((folder: string | undefined, options: ViewsWords, self: Command) =>
      run(self, () => {
        const data = options.data ?? folder
        const at = { ...options, ...(data !== undefined && { data }) }
        return readPlace(at, { tables: [callsTable, costsTable] }, (place) => printViews(place, options))
      }),
    )

const listed = viewsWith([])
  .filter(({ name }) => name !== 'prices')
  .map(({ name }) => name)
  .join(', ')

const notes = `
The views are ${listed}. The statements say above each
view what its columns hold. Rows are all that is in data files: have a running server write the newest ones with
POST /flush, or a stopped folder with "tracelake flush".

Engines read the tables with delta_scan (duckdb), deltaLakeLocal or deltaLake (clickhouse), delta.\`path\` (spark), or
by names that the statements show how to register (trino). --tables names them in any other way.

Costs are computed by the view prices, which holds the prices at the time of printing. Print the statements again after
changing prices or using new models.

Examples:
  tracelake views --engine duckdb ./data > views.sql && duckdb -init views.sql
  tracelake views --engine clickhouse --location s3://traces/copy ./data | clickhouse-client
  tracelake views --engine clickhouse --lake s3://my-bucket/traces | clickhouse-client
  tracelake views --engine spark --location s3a://traces/copy ./data > views.sql && spark-sql -f views.sql
  tracelake views --engine trino --location s3://traces/copy --schema delta.llm ./data > views.sql
  tracelake views --engine duckdb --tables "lake.raw_{table}" ./data`

interface ViewsWords extends PlaceOptions {
  readonly engine: EngineName
  readonly location?: string
  readonly tables?: string
  readonly schema?: string
  readonly project?: string
}

async function printViews({ config, name }: ReadablePlace, options: ViewsWords): Promise<void> {
  exitOnBrokenPipe()
  const { engine, tables, project } = options
  if (project !== undefined && !isProjectId(project))
    throw new ConfigError(`--project "${project}": use <entity>/<project>`)
  if (tables !== undefined && !tables.includes('{table}'))
    throw new ConfigError(`--tables "${tables}": put {table} in the place of the name, as in "lake.{table}"`)
  const rates = await usedRates({
    dataFolder: config.data,
    memoryBytesMax: config.memoryBytesMax,
    temporaryFolder: joinPath(config.data, 'tmp'),
    projectId: project,
  })
  const location = (options.location ?? (name.includes('://') ? name : absolutePath(name))).replace(/\/+$/, '')
  if (/[\r\n]/.test(`${location}${tables ?? ''}`))
    throw new ConfigError('--location and --tables must not have line breaks')
  const placement = { schema: schemaOf(engine, options.schema), location, tables, projectId: project }
  writeStdout(viewStatements(engine, placement, rates))
}

/** @throws ConfigError for anything but a name, or two with a dot between them */
function schemaOf(engine: EngineName, stated: string | undefined): string {
  if (stated === undefined) return engine === 'trino' ? 'delta.tracelake' : 'tracelake'
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/.test(stated))
    throw new ConfigError(`--schema "${stated}": use letters, digits and underscores, with a catalog as catalog.schema`)
  if (engine === 'trino' && !stated.includes('.'))
    throw new ConfigError(`--schema "${stated}": Trino needs the catalog as well, as in delta.${stated}`)
  return stated
}
