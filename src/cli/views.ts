import { Command, Option } from 'commander'
import { type EngineName, engines, usedRates, viewStatements, viewsWith } from '../domains/views/index.ts'
import { isProjectId } from '../lib/project-id.ts'
import { ConfigError } from '../runtime/config/config-error.ts'
import { loadConfig } from '../runtime/config.ts'
import { absolutePath, joinPath } from '../runtime/platform/files/paths.ts'
import { exitOnBrokenPipe, writeStdout } from '../runtime/platform/runtime.ts'
import { run } from './run.ts'
import { requireTables } from './with-store.ts'

const engineNames = Object.keys(engines)

/** `views`: prints views of a data folder for another engine. */
export const viewsCommand = (): Command =>
  new Command('views')
    .description('print CREATE VIEW statements with which another engine reads a data folder')
    .argument('[folder]', 'data folder (TRACELAKE_DATA, default ./data)')
    .addOption(new Option('--engine <name>', 'engine that will run them').choices(engineNames).makeOptionMandatory())
    .option('--location <path-or-url>', 'where the engine finds the folder or a copy of it (default: its path)')
    .option('--tables <template>', 'how the statements name a table, with {table} in the place of its name')
    .option('--schema <name>', 'schema of the views (default: tracelake; for trino: delta.tracelake)')
    .option('--project <entity/project>', 'show the rows of one project only')
    .addHelpText('after', notes)
    .action((folder: string | undefined, options: ViewsWords, self: Command) =>
      run(self, () => printViews(folder, options)),
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
  tracelake views --engine spark --location s3a://traces/copy ./data > views.sql && spark-sql -f views.sql
  tracelake views --engine trino --location s3://traces/copy --schema delta.llm ./data > views.sql
  tracelake views --engine duckdb --tables "lake.raw_{table}" ./data`

interface ViewsWords {
  readonly engine: EngineName
  readonly location?: string
  readonly tables?: string
  readonly schema?: string
  readonly project?: string
}

async function printViews(folder: string | undefined, options: ViewsWords): Promise<void> {
  exitOnBrokenPipe()
  const config = loadConfig({ data: folder })
  await requireTables(config.data)
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
  const location = (options.location ?? absolutePath(config.data)).replace(/\/+$/, '')
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
