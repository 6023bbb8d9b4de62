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
    ['a step down', { 'app.ts': "import { a } from './api/index.ts'\na()" }],
    ['several steps down', { 'main.ts': "import { limits } from './limits.ts'\nlimits" }],
    ['another folder of the same layer', { 'store/store.ts': "import { open } from '../duck/open.ts'\nopen()" }],
    ['the runtime in platform', { 'platform/files.ts': "import { open } from 'node:fs'\nopen(Bun.argv)" }],
    ['DuckDB in duck', { 'duck/open.ts': "import { DuckDBInstance } from '@duckdb/node-api'\nDuckDBInstance" }],
    ['a file outside src', { 'version.ts': "import json from '../package.json' with { type: 'json' }\njson" }],
    ['anything downward or upward in a test', { 'model/a.test.ts': "import '../store/store.ts'\nBun.version" }],
    ['a unit test with a fixture', { 'model/a.test.ts': "import '../../test/store/random.ts'" }],
    ['the product in a script', { 'scripts/demo/main.ts': "import '../../src/limits.ts'\nBun.version" }],
    ['a script in a test', { 'test/sdk/a.ts': "import '../stub-model/server.ts'" }],
    ['the names in comments and strings', { 'model/a.ts': "// Bun.file, node:fs\nexport const a = 'Deno'" }],
    [
      'types in the web UI',
      { 'web/a.tsx': "import type { C } from '../model/calls.ts'\nexport const a = (c: C) => <b>{c}</b>" },
    ],
    ['a member of that name', { 'model/a.ts': 'export const a = (job: Job) => job.process.id' }],
  ])('%s', (_, files) => expect(breaches(files)).toEqual([]))
})

describe('rejected', () => {
  test.each([
    ['a step up', { 'model/a.ts': "import { s } from '../store/s.ts'\ns" }, 'model/ is below store/'],
    ['a type from above', { 'model/a.ts': "import type { S } from '../store/s.ts'" }, 'model/ is below store/'],
    ['a type among values', { 'model/a.ts': "import { type S, s } from '../store/s.ts'\ns" }, 'model/ is below store/'],
    ['a re-exported type', { 'model/a.ts': "export type { S } from '../store/s.ts'" }, 'model/ is below store/'],
    ['an import inside a type', { 'model/a.ts': "type S = import('../store/s.ts').S" }, 'model/ is below store/'],
    ['store and query', { 'store/a.ts': "import { q } from '../query/q.ts'\nq" }, 'do not import each other'],
    ['query and store', { 'query/a.ts': "import { s } from '../store/s.ts'\ns" }, 'do not import each other'],
    [
      'node outside platform',
      { 'wire/a.ts': "import { gzip } from 'node:zlib'\ngzip" },
      'only platform/ and http/ may',
    ],
    ['a runtime global outside platform', { 'wire/a.ts': 'export const a = process.env' }, 'names process'],
    ['a global behind globalThis', { 'wire/a.ts': 'export const a = (globalThis as X).Deno?.x' }, 'names Deno'],
    ['DuckDB outside duck', { 'store/a.ts': "import { x } from '@duckdb/node-api'\nx" }, 'only duck/'],
    [
      'SQL for queries outside query/sql',
      { 'query/a.ts': "import { Parameters } from './sql/parameters.ts'\nParameters" },
      'only query/sql/ writes',
    ],
    ['a value in the web UI', { 'web/a.tsx': "import { C } from '../model/calls.ts'\nC" }, 'may import types only'],
    [
      'a value of a module that is no pure one',
      { 'web/a.ts': "import { C } from '../kernel/json-value.ts'\nC" },
      'may import types only',
    ],
    ['a folder without a layer', { 'utils/a.ts': 'export const a = 1' }, 'is in no layer'],
    [
      'files in a cycle',
      { 'store/wal/a.ts': "import { b } from './b.ts'\nb", 'store/wal/b.ts': "import type { A } from './a.ts'" },
      'src/store/wal/a.ts -> src/store/wal/b.ts -> src/store/wal/a.ts',
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
        'records/calls/a.ts': "import { d } from '../costs/d.ts'\nd",
        'records/costs/e.ts': "import { b } from '../calls/b.ts'\nb",
      },
      'src/records/calls -> src/records/costs -> src/records/calls',
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
    expect(drawn).toContain('| `store/` |')
    expect(withPicture(drawn)).toBe(drawn)
  })

  test('a document without markers is rejected', () => expect(() => withPicture('Text')).toThrow('are missing'))
})
