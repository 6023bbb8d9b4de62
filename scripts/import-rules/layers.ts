/**
 * One layer of `src/`: its units, with what each holds. A unit is a folder (`store/`) or a file
 * (`app.ts`).
 */
type Layer = Readonly<Record<string, string>>

/**
 * The layers of `src/`, highest first. A file imports from its own layer or from lower ones, never
 * upwards. See docs/decisions/216-subjects.md.
 */
export const layers: readonly Layer[] = [
  { 'web/': 'the web UI, built for the browser; imports the rest for its types, and a few pure functions' },
  {
    'start.ts': 'loads the rest; explains itself when the DuckDB library is missing',
    'main.ts': 'the command line',
  },
  {
    'cli/': 'one file per command',
    'importers/': 'reads traces of other tools and sends them to a server; a folder per source',
    'demo/': 'synthetic traces of a support bot, for trying the product out',
  },
  {
    'server/':
      'opens everything, owns it and closes it; what every request passes; MCP, the web UI, the API description',
  },
  {
    'domains/':
      'one folder per subject (calls, objects, evaluations, …): its operations, its service, its SQL, its schemas',
  },
  {
    'engine/': 'the storage engine: write-ahead log, memtable, data files, Delta log; in `tables/`, every stored table',
    'query/': 'the query compiler',
    'formats/':
      'bytes on the wire, what frameworks send as calls, the two dialects, schemas that several subjects share',
  },
  { 'runtime/': 'files, processes, HTTP, the embedded DuckDB, settings and the log' },
  { 'lib/': 'JSON, time, ids, limits and errors: plain things without I/O' },
]

/** Folders of one layer that stay apart all the same, up to exceptions. */
export const strangers: readonly {
  readonly folders: readonly [string, string]
  readonly except: string
  readonly reason: string
}[] = [
  {
    folders: ['engine/', 'query/'],
    except: 'engine/tables/',
    reason: 'the compiler gets relations as data',
  },
]

/** Units that run in a browser: they import the types of other units, never their values. */
export const typesOnly: readonly string[] = ['web/']

/** Modules whose values they may import all the same: pure functions that import nothing. */
export const pureModules: readonly string[] = [
  'lib/comparison-words.ts',
  'lib/completion-request.ts',
  'lib/detectable-difference.ts',
  'lib/error-line.ts',
  'lib/failed-calls.ts',
  'lib/held-attributes.ts',
  'lib/json-pointer.ts',
  'lib/judge-answer.ts',
  'lib/present.ts',
  'lib/seeded-random.ts',
  'lib/splits.ts',
]

/**
 * Modules that a few folders own, so that there is one place to look when the runtime or DuckDB
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
    owners: ['runtime/platform/', 'runtime/http/'],
    what: 'the runtime',
    module: /^(node:|bun:|bun$)/,
    modules: 'node:…',
    globals: ['Bun', 'Deno', 'process'],
  },
  { owners: ['runtime/duck/'], what: 'DuckDB', module: /^@duckdb\//, modules: '@duckdb/…' },
]

/** Files that few folders own: code that holds `Parameters` writes SQL. */
export const owned: readonly {
  readonly owners: RegExp
  /** The owners as people write them. */
  readonly shown: readonly string[]
  readonly what: string
  readonly file: string
}[] = [
  {
    owners: /^(?:query\/sql|domains\/[^/]+\/sql)\//,
    shown: ['query/sql/', 'domains/<subject>/sql/'],
    what: 'SQL for queries',
    file: 'query/sql/parameters.ts',
  },
]

/** The folder of subjects: code outside a subject imports its `index.ts` and nothing else of it. */
export const subjects = 'domains/'

/**
 * Files that load only what they run, so they may import a file of a subject directly: programs of
 * threads.
 */
export const loadsLittle = /-thread\.ts$/

/** The subject that a file below `src/` belongs to; undefined outside the subjects. */
export function subjectOf(file: string): string | undefined {
  return file.startsWith(subjects) ? file.slice(subjects.length).split('/')[0] : undefined
}

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
