import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

let folder = ''
let data = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tracelake-views-'))
  data = path.join(folder, "it's data")
  await makeSampleFolder(data)
}, 120_000)
afterAll(() => rm(folder, { recursive: true }))

const views = (...words: string[]) => runCommand('views', data, ...words)

describe('tables are named as the engine reads them', () => {
  test.each([
    ['duckdb', (place: string) => `delta_scan('${place.replaceAll("'", "''")}')`],
    ['clickhouse', (place: string) => `deltaLakeLocal('${place.replaceAll("'", "\\'")}')`],
    ['spark', (place: string) => `delta.\`${place}\``],
  ] as const)('%s, with the folder where it is', async (engine, named) => {
    const { out, code } = await views('--engine', engine)
    expect(code).toBe(0)
    expect(out).toContain(`FROM ${named(path.join(data, 'tables/calls'))} t `)
    expect(out).toContain('CREATE OR REPLACE VIEW tracelake.generations AS')
  })

  test.each([
    ['duckdb', 's3://bucket/copy/', "delta_scan('s3://bucket/copy/tables/calls')"],
    ['clickhouse', 's3a://bucket/copy', "deltaLake('s3://bucket/copy/tables/calls')"],
    ['spark', 's3a://bucket/copy', 'delta.`s3a://bucket/copy/tables/calls`'],
    ['trino', 's3://bucket/copy', 'FROM delta.tracelake.calls'],
  ])('%s, with a copy', async (engine, location, named) => {
    const { out } = await views('--engine', engine, '--location', location)
    expect(out).toContain(named)
    expect(out).not.toContain(data)
  })

  test('trino registers them under the schema of the views', async () => {
    const { out } = await views('--engine', 'trino', '--location', 's3://b', '--schema', 'lake.llm')
    expect(out).toContain(
      "--   CALL lake.system.register_table(schema_name => 'llm', table_name => 'calls', " +
        "table_location => 's3://b/tables/calls')\n",
    )
    expect(out, 'programs split statements at semicolons').not.toMatch(/^--.*;/m)
  })

  test('any engine, by names of its own', async () => {
    const { out } = await views('--engine', 'spark', '--tables', 'main.raw_{table}', '--schema', 'main.llm')
    expect(out).toContain('FROM main.raw_feedback f ')
    expect(out).toContain('CREATE OR REPLACE VIEW main.llm.traces AS')
  })
})

test('one project is what all tables are restricted to', async () => {
  const { out } = await views('--engine', 'duckdb', '--project', 'acme/one')
  const reads = [...out.matchAll(/delta_scan\(.*tables\/\w+'\)( p WHERE p.project_id = 'acme\/one')?/g)]
  expect(reads.length).toBeGreaterThan(3)
  expect(reads.filter(([, restricted]) => restricted === undefined)).toEqual([])
})

describe('what cannot be is refused with what to do', () => {
  test.each([
    [['--engine', 'mysql'], 'Allowed choices are duckdb, clickhouse, trino, spark'],
    [[], "required option '--engine <name>' not specified"],
    [['--engine', 'duckdb', '--schema', 'a-b'], 'use letters, digits and underscores'],
    [['--engine', 'trino', '--schema', 'llm'], 'Trino needs the catalog as well, as in delta.llm'],
    [['--engine', 'spark', '--project', 'one'], 'use <entity>/<project>'],
    [['--engine', 'spark', '--tables', 'lake.calls'], 'put {table} in the place of the name'],
    [['--engine', 'spark', '--location', 'a\nDROP TABLE t'], 'must not have line breaks'],
    [['--engine', 'clickhouse', '--location', 'abfss://lake@x/copy'], 'name its table function with --tables'],
  ])('%p', async (words, message) => {
    const { out, err, code } = await views(...words)
    expect(out).toBe('')
    expect(err).toContain(message)
    expect(code).not.toBe(0)
  })

  test('a folder without tables', async () => {
    const { err, code } = await runCommand('views', folder, '--engine', 'duckdb')
    expect(err).toContain('is not a data folder: it has no tables')
    expect(code).toBe(2)
  })
})
