import { describe, expect, test } from 'bun:test'
import { findBreaches } from './check.ts'

const breaches = (files: Record<string, string>): string[] => findBreaches(new Map(Object.entries(files)))

describe('allowed', () => {
  test.each([
    ['a step down', { 'app.ts': "import { a } from './api/index.ts'\na()" }],
    ['several steps down', { 'main.ts': "import { limits } from './limits.ts'\nlimits" }],
    ['another folder of the same layer', { 'store/store.ts': "import { open } from '../duck/open.ts'\nopen()" }],
    ['the runtime in platform', { 'platform/files.ts': "import { open } from 'node:fs'\nopen(Bun.argv)" }],
    ['DuckDB in duck', { 'duck/open.ts': "import { DuckDBInstance } from '@duckdb/node-api'\nDuckDBInstance" }],
    ['what lies outside src', { 'version.ts': "import json from '../package.json' with { type: 'json' }\njson" }],
    ['anything downward or upward in a test', { 'model/a.test.ts': "import '../store/store.ts'\nBun.version" }],
    ['the words in comments and texts', { 'model/a.ts': "// Bun.file, node:fs\nexport const a = 'Deno'" }],
    ['a member of that name', { 'model/a.ts': 'export const a = (job: Job) => job.process.id' }],
  ])('%s', (_, files) => expect(breaches(files)).toEqual([]))
})

describe('refused', () => {
  test.each([
    ['a step up', { 'model/a.ts': "import { s } from '../store/s.ts'\ns" }, 'model lies below store'],
    ['a type from above', { 'model/a.ts': "import type { S } from '../store/s.ts'" }, 'model lies below store'],
    ['a type among values', { 'model/a.ts': "import { type S, s } from '../store/s.ts'\ns" }, 'model lies below store'],
    ['a re-exported type', { 'model/a.ts': "export type { S } from '../store/s.ts'" }, 'model lies below store'],
    ['an import inside a type', { 'model/a.ts': "type S = import('../store/s.ts').S" }, 'model lies below store'],
    ['store and query', { 'store/a.ts': "import { q } from '../query/q.ts'\nq" }, 'do not know each other'],
    ['query and store', { 'query/a.ts': "import { s } from '../store/s.ts'\ns" }, 'do not know each other'],
    ['node outside platform', { 'wire/a.ts': "import { gzip } from 'node:zlib'\ngzip" }, 'only platform/ and http/'],
    ['a runtime global outside platform', { 'wire/a.ts': 'export const a = process.env' }, 'names process'],
    ['a global behind globalThis', { 'wire/a.ts': 'export const a = (globalThis as X).Deno?.x' }, 'names Deno'],
    ['DuckDB outside duck', { 'store/a.ts': "import { x } from '@duckdb/node-api'\nx" }, 'only duck/'],
    [
      'SQL for queries outside query/sql',
      { 'query/a.ts': "import { Parameters } from './sql/parameters.ts'\nParameters" },
      'only query/sql/ writes',
    ],
    ['a folder without a layer', { 'utils/a.ts': 'export const a = 1' }, 'lies in no layer'],
    [
      'files in a circle',
      { 'store/wal/a.ts': "import { b } from './b.ts'\nb", 'store/wal/b.ts': "import type { A } from './a.ts'" },
      'store/wal/a.ts -> store/wal/b.ts -> store/wal/a.ts',
    ],
    [
      'folders in a circle',
      {
        'records/calls/a.ts': "import { d } from '../costs/d.ts'\nd",
        'records/costs/e.ts': "import { b } from '../calls/b.ts'\nb",
      },
      'records/calls -> records/costs -> records/calls',
    ],
  ])('%s', (_, files, reason) => {
    const found = breaches(files)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(reason)
  })
})
