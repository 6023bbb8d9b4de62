import { describe, expect, test } from 'bun:test'
import { findBreaches } from './check.ts'
import { findKnots } from './cycles.ts'
import { withPicture } from './picture.ts'

/** Violations in `files`; paths are relative to `src/` unless they name another tree. */
const breaches = (files: Record<string, string>): string[] =>
  findBreaches(new Map(Object.entries(files).map(([file, source]) => [inTree(file), source])))

const inTree = (file: string): string => (/^(scripts|test)\//.test(file) ? file : `src/${file}`)

describe('allowed', () => {
  test.each([
    ['a step down', { 'server/app.ts': "import { a } from '../domains/calls/index.ts'\na()" }],
    ['several steps down', { 'main.ts': "import { limits } from './lib/limits.ts'\nlimits" }],
    [
      'another folder of the same layer',
      { 'engine/store.ts': "import { read } from '../formats/wire/read.ts'\nread()" },
    ],
    ['the runtime in platform', { 'runtime/platform/files.ts': "import { open } from 'node:fs'\nopen(Bun.argv)" }],
    ['DuckDB in duck', { 'runtime/duck/open.ts': "import { DuckDBInstance } from '@duckdb/node-api'\nDuckDBInstance" }],
    ['a file outside src', { 'lib/version.ts': "import json from '../../package.json' with { type: 'json' }\njson" }],
    ['anything downward or upward in a test', { 'lib/a.test.ts': "import '../engine/store.ts'\nBun.version" }],
    ['a unit test with a fixture', { 'lib/a.test.ts': "import '../../test/store/random.ts'" }],
    ['the product in a script', { 'scripts/demo/main.ts': "import '../../src/lib/limits.ts'\nBun.version" }],
    ['a script in a test', { 'test/sdk/a.ts': "import '../stub-model/server.ts'" }],
    ['the names in comments and strings', { 'lib/a.ts': "// Bun.file, node:fs\nexport const a = 'Deno'" }],
    [
      'types in the web UI',
      { 'web/a.tsx': "import type { C } from '../formats/schemas/calls.ts'\nexport const a = (c: C) => <b>{c}</b>" },
    ],
    ['a subject by its index', { 'domains/usage/a.ts': "import { c } from '../calls/index.ts'\nc" }],
    ['a file of the own subject', { 'domains/calls/sql/a.ts': "import { c } from '../plan.ts'\nc" }],
    [
      'SQL for queries in a subject',
      { 'domains/calls/sql/a.ts': "import { p } from '../../../query/sql/parameters.ts'\np" },
    ],
    ['a subject in the program of a thread', { 'domains/calls/a-thread.ts': "import { b } from '../files/b.ts'\nb" }],
    ['the compiler in the description of a table', { 'engine/tables/a.ts': "import { q } from '../../query/q.ts'\nq" }],
    ['a member of that name', { 'lib/a.ts': 'export const a = (job: Job) => job.process.id' }],
  ])('%s', (_, files) => expect(breaches(files)).toEqual([]))
})

describe('rejected', () => {
  test.each([
    ['a step up', { 'lib/a.ts': "import { s } from '../engine/s.ts'\ns" }, 'lib/ is below engine/'],
    ['a type from above', { 'lib/a.ts': "import type { S } from '../engine/s.ts'" }, 'lib/ is below engine/'],
    ['a type among values', { 'lib/a.ts': "import { type S, s } from '../engine/s.ts'\ns" }, 'lib/ is below engine/'],
    ['a re-exported type', { 'lib/a.ts': "export type { S } from '../engine/s.ts'" }, 'lib/ is below engine/'],
    ['an import inside a type', { 'lib/a.ts': "type S = import('../engine/s.ts').S" }, 'lib/ is below engine/'],
    ['engine and query', { 'engine/a.ts': "import { q } from '../query/q.ts'\nq" }, 'do not import each other'],
    ['query and engine', { 'query/a.ts': "import { s } from '../engine/s.ts'\ns" }, 'do not import each other'],
    [
      'node outside platform',
      { 'formats/wire/a.ts': "import { gzip } from 'node:zlib'\ngzip" },
      'only runtime/platform/ and runtime/http/ may',
    ],
    ['a runtime global outside platform', { 'formats/wire/a.ts': 'export const a = process.env' }, 'names process'],
    ['a global behind globalThis', { 'formats/wire/a.ts': 'export const a = (globalThis as X).Deno?.x' }, 'names Deno'],
    ['DuckDB outside duck', { 'engine/a.ts': "import { x } from '@duckdb/node-api'\nx" }, 'only runtime/duck/'],
    [
      'SQL for queries outside query/sql',
      { 'query/a.ts': "import { Parameters } from './sql/parameters.ts'\nParameters" },
      'only query/sql/ and domains/<subject>/sql/ write',
    ],
    [
      'a value in the web UI',
      { 'web/a.tsx': "import { C } from '../formats/schemas/calls.ts'\nC" },
      'may import types only',
    ],
    [
      'a value of a module that is no pure one',
      { 'web/a.ts': "import { C } from '../lib/json-value.ts'\nC" },
      'may import types only',
    ],
    [
      'a file of another subject',
      { 'domains/usage/a.ts': "import { c } from '../calls/plan.ts'\nc" },
      'import it from src/domains/calls/index.ts',
    ],
    [
      'a file of a subject in the server',
      { 'server/a.ts': "import type { C } from '../domains/calls/plan.ts'" },
      'import it from src/domains/calls/index.ts',
    ],
    ['a folder without a layer', { 'utils/a.ts': 'export const a = 1' }, 'is in no layer'],
    [
      'files in a cycle',
      { 'engine/wal/a.ts': "import { b } from './b.ts'\nb", 'engine/wal/b.ts': "import type { A } from './a.ts'" },
      'src/engine/wal/a.ts -> src/engine/wal/b.ts -> src/engine/wal/a.ts',
    ],
    ['a script in the product', { 'cli/a.ts': "import '../../scripts/bench/a.ts'" }, 'may import from src/ only'],
    ['a test in the product', { 'cli/a.ts': "import '../../test/cli/a.ts'" }, 'may import from src/ only'],
    [
      'a test in a script',
      { 'scripts/a/a.ts': "import '../../test/a/a.ts'" },
      'may import from scripts/ and src/ only',
    ],
    [
      'folders of scripts in a cycle',
      {
        'scripts/bench/run.ts': "import './reads/a.ts'",
        'scripts/bench/reads/b.ts': "import { run } from '../run.ts'\nrun",
      },
      'scripts/bench/run -> scripts/bench/reads -> scripts/bench/run',
    ],
    [
      'folders of tests in a cycle',
      {
        'test/store/backup/a.test.ts': "import '../files/a.ts'",
        'test/store/files/b.ts': "import '../backup/b.ts'",
      },
      'test/store/backup -> test/store/files -> test/store/backup',
    ],
    [
      'folders in a cycle',
      {
        'domains/calls/a.ts': "import { d } from '../costs/index.ts'\nd",
        'domains/costs/e.ts': "import { b } from '../calls/index.ts'\nb",
      },
      'src/domains/calls -> src/domains/costs -> src/domains/calls',
    ],
  ])('%s', (_, files, reason) => {
    const found = breaches(files)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(reason)
  })
})

describe('cycles', () => {
  const knots = (edges: Record<string, string[]>): string[][] => findKnots(new Map(Object.entries(edges)))

  test('a chain has none, nor does a node with an edge to itself', () =>
    expect(knots({ a: ['b'], b: ['c'], c: ['c'] })).toEqual([]))

  test('cycles that share a node are one', () =>
    expect(knots({ a: ['b', 'c'], b: ['a'], c: ['a'], d: ['a', 'e'], e: ['d'], f: ['e'] })).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]))
})

describe('diagram', () => {
  const architecture =
    'Before\n<!-- import-rules: begin; "scripts/bun run draw-layers" writes this part -->\nwhat was true\n<!-- import-rules: end -->\nAfter\n'

  test('the text between the markers is redrawn, the rest is kept', () => {
    const drawn = withPicture(architecture)
    expect(drawn).toStartWith('Before\n')
    expect(drawn).toEndWith('\nAfter\n')
    expect(drawn).not.toContain('what was true')
    expect(drawn).toContain('| `engine/` |')
    expect(withPicture(drawn)).toBe(drawn)
  })

  test('a document without markers is rejected', () => expect(() => withPicture('Text')).toThrow('are missing'))
})
