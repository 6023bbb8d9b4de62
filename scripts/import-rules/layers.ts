/**
 * The layers of `src/`, highest first. A file imports from its own layer or from lower ones, never upwards. A name is a folder of
 * `src/` or a file of it without `.ts`.
 */
const layers: readonly (readonly string[])[] = [
  ['start'],
  ['main'],
  ['cli'],
  ['app'],
  ['context'],
  ['api'],
  ['services'],
  ['features'],
  ['records'],
  ['foundation'],
  ['tables'],
  ['store', 'duck', 'query', 'wire', 'dialect'],
  ['model'],
  ['http'],
  ['kernel'],
  ['log'],
  ['config'],
  ['platform', 'limits', 'errors', 'version'],
]

/** Units of one layer that stay apart all the same: a snapshot's relations are handed to the query compiler as data. */
export const strangers: readonly (readonly [string, string])[] = [
  ['store', 'query'],
  ['query', 'store'],
]

/** Modules that a few folders own, so that there is one place to look when the runtime or DuckDB changes. */
export const reserved: readonly {
  readonly owners: readonly string[]
  readonly what: string
  readonly module: RegExp
}[] = [
  { owners: ['platform', 'http'], what: 'the runtime', module: /^(node:|bun:|bun$)/ },
  { owners: ['duck'], what: 'DuckDB', module: /^@duckdb\// },
]

/** Files that a single folder owns: whoever has `Parameters` in hand writes SQL. */
export const owned: readonly { readonly owner: string; readonly what: string; readonly file: string }[] = [
  { owner: 'query/sql/', what: 'SQL for queries', file: 'query/sql/parameters.ts' },
]

/** The unit of a file below `src/`: its folder, or its own name. */
export function unitOf(file: string): string {
  const [first = ''] = file.split('/')
  return first.replace(/\.ts$/, '')
}

/** The part of `src/` that a file belongs to where circles are looked for: two levels of folders deep, or the file itself. */
export function partOf(file: string): string {
  return file.split('/').slice(0, 2).join('/').replace(/\.ts$/, '')
}

/** Position of `unit`, 0 being the highest; undefined where the list above does not know it. */
export function layerOf(unit: string): number | undefined {
  const index = layers.findIndex((units) => units.includes(unit))
  return index < 0 ? undefined : index
}
