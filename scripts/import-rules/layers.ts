/**
 * One layer of `src/`: its units, with what each holds. A unit is a folder (`store/`) or a file
 * (`app.ts`).
 */
type Layer = Readonly<Record<string, string>>

/**
 * The layers of `src/`, highest first. A file imports from its own layer or from lower ones, never
 * upwards.
 */
export const layers: readonly Layer[] = [
  { 'web/': 'the web UI, built for the browser; imports the rest for its types, and a few pure functions' },
  { 'start.ts': 'loads the rest; explains itself when the DuckDB library is missing' },
  { 'main.ts': 'the command line' },
  { 'cli/': 'one file per command' },
  {
    'importers/': 'reads traces of other tools and sends them to a server; a folder per source',
    'demo/': 'synthetic traces of a support bot, for trying the product out',
  },
  { 'app.ts': 'the API, the web UI and gRPC over an open context; does not listen by itself' },
  { 'application.ts': 'the operations in one dialect, and what every request passes on its way to them' },
  { 'context.ts': 'opens everything, owns it, closes it in reverse order' },
  { 'api/': 'one folder per group, one file per operation: schemas and a thin handler' },
  {
    'services.ts': 'the services that operations are given',
    'open-store.ts': 'opens the data folder of a configuration',
  },
  {
    'features/':
      'what is built on the records: completions, evaluations, typed objects, OpenTelemetry, live tails, statistics, threads, refs',
  },
  {
    'records/': 'what is stored: calls, feedback, costs, objects, tables of rows, files, annotation queues, jobs',
  },
  { 'foundation/': 'what records and features share: access, secrets, metrics, scorers, geolocation' },
  {
    'tables/': 'one description per stored table',
    'mapping/': 'what frameworks and agents send, as calls and messages: pure functions, a file per convention',
  },
  {
    'store/': 'the write-ahead log, the memtable, data files and the Delta log',
    'duck/': 'the embedded DuckDB',
    'query/': 'the query compiler',
    'wire/': 'byte formats',
    'dialect/': 'names and refs in either spelling',
  },
  { 'model/': 'API schemas that several operations share; no I/O' },
  { 'http/': 'the listener, request bodies, outbound requests' },
  { 'kernel/': 'JSON, time, digests, ids: pure functions without schemas' },
  { 'log.ts': 'the log' },
  { 'config.ts': 'settings' },
  { 'config/': 'names, sources and checks of settings' },
  {
    'platform/': 'the runtime and files',
    'limits.ts': 'every limit',
    'errors.ts': 'the errors that reach a caller',
    'version.ts': 'the version',
  },
  { 'limits/': 'the limits by area' },
]

/** Units of one layer that stay apart all the same. */
export const strangers: readonly { readonly units: readonly [string, string]; readonly reason: string }[] = [
  { units: ['store/', 'query/'], reason: 'the compiler gets the relations of a snapshot as data' },
]

/** Units that run in a browser: they import the types of other units, never their values. */
export const typesOnly: readonly string[] = ['web/']

/** Modules whose values they may import all the same: pure functions that import nothing. */
export const pureModules: readonly string[] = ['kernel/error-line.ts']

/**
 * Modules that a few units own, so that there is one place to look when the runtime or DuckDB
 * changes.
 */
export const reserved: readonly {
  readonly owners: readonly string[]
  readonly what: string
  readonly module: RegExp
  /** The modules as people write them. */
  readonly modules: string
  /** Globals that are reserved with the modules. */
  readonly globals?: readonly string[]
}[] = [
  {
    owners: ['platform/', 'http/'],
    what: 'the runtime',
    module: /^(node:|bun:|bun$)/,
    modules: 'node:…',
    globals: ['Bun', 'Deno', 'process'],
  },
  { owners: ['duck/'], what: 'DuckDB', module: /^@duckdb\//, modules: '@duckdb/…' },
]

/** Files that a single folder owns: code that holds `Parameters` writes SQL. */
export const owned: readonly { readonly owner: string; readonly what: string; readonly file: string }[] = [
  { owner: 'query/sql/', what: 'SQL for queries', file: 'query/sql/parameters.ts' },
]

/** The unit of a file below `src/`: its folder with a slash at the end, or its own name. */
export function unitOf(file: string): string {
  const [first = '', ...rest] = file.split('/')
  return rest.length > 0 ? `${first}/` : first
}

/** Position of `unit`, 0 being the highest; undefined where the list above does not know it. */
export function layerOf(unit: string): number | undefined {
  const index = layers.findIndex((layer) => Object.hasOwn(layer, unit))
  return index < 0 ? undefined : index
}
