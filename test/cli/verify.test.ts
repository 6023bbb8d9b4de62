import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pino } from 'pino'
import { BloomFilter } from '../../src/engine/keys/bloom-filter.ts'
import { Store } from '../../src/engine/store.ts'
import { objectsTable } from '../../src/engine/tables/objects-table.ts'
import { tableChunks, tableRows } from '../../src/engine/tables/stored-tables.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import type { Row, Table } from '../../src/lib/table.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { helloDigest } from '../conformance/support/files.ts'
import { digestOfRows, rowDigest } from '../conformance/support/tables.ts'
import { queryDuckDb } from '../store/folder-state.ts'
import { damageSection, indexFiles, replaceSection, sectionsOf } from '../store/index-files.ts'
import { runCommand } from './command.ts'
import { calls, commit, faultsOf, log, namesOf, replaceIn, spoil } from './damage.ts'
import { makeSampleFolder } from './sample-folder.ts'
import { newVersion } from './stored-version.ts'

let parent: string
let sample: string
let backup: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracelake-verify-'))
  sample = join(parent, 'data')
  backup = join(parent, 'backup')
  await makeSampleFolder(sample)
  expect(await runCommand('backup', '--data', sample, '--to', backup)).toMatchObject({ code: 0 })
}, 120_000)
afterAll(() => rm(parent, { recursive: true }))

const openStore = (dataFolder: string): Promise<Store> =>
  Store.open({ dataFolder, tables, memoryBytesMax: 256e6, clock: systemClock, log: pino({ level: 'silent' }) })

/** Faults of a damaged copy of a folder. */
async function faultsAfter(damage: (folder: string) => void | Promise<void>, of = sample): Promise<string[]> {
  const copy = await mkdtemp(join(parent, 'copy-'))
  await cp(of, copy, { recursive: true })
  await damage(copy)
  return await faultsOf(copy)
}

test('an intact folder and its backup have no faults and are left unchanged', async () => {
  const before = readdirSync(sample, { recursive: true }).sort()
  expect(await faultsOf(sample)).toEqual([])
  expect(await faultsOf(backup)).toEqual([])
  expect(readdirSync(sample, { recursive: true }).sort()).toEqual(before)
  const { out, err, code } = await runCommand('verify', '--data', sample)
  expect({ err, code }).toMatchObject({ code: 0 })
  expect(out).toMatch(
    /no problems in \d+ tables, \d+ Parquet files with \d+ rows, 1 row fragments in the log and 1 file contents\.\n$/,
  )
})

test('faults are printed one per line to standard output, with exit code 1', async () => {
  const copy = await mkdtemp(join(parent, 'copy-'))
  await cp(sample, copy, { recursive: true })
  rmSync(join(copy, 'blobs', helloDigest.slice(0, 2), helloDigest))
  writeFileSync(join(copy, 'keys.json'), '{')
  const { out, err, code } = await runCommand('verify', '--data', copy)
  expect(code).toBe(1)
  expect(err).toEndWith(`error: ${copy}: found 2 problems\n`)
  expect(out.trimEnd().split('\n')).toEqual([
    `tables/files: ${helloDigest} of acme/one: its content is missing in blobs`,
    expect.stringContaining('keys.json: Invalid key file'),
  ])
  expect(await runCommand('verify', '--data', parent)).toMatchObject({ out: '', code: 2 })
})

test('reports Parquet files that are missing, truncated, zeroed or not as committed', async () => {
  const [name] = namesOf(calls(sample), '.parquet')
  const place = `tables/calls/${name}`
  const file = (folder: string) => join(calls(folder), name!)
  expect(await faultsAfter((folder) => rmSync(file(folder)))).toEqual([`${place}: is missing`])
  expect(
    await faultsAfter((folder) => writeFileSync(file(folder), readFileSync(file(folder)).subarray(0, 100))),
  ).toEqual([expect.stringMatching(new RegExp(`^${place}: has 100 bytes, but the Delta log says \\d+$`))])
  for (const at of [0.02, 0.3]) {
    const faults = await faultsAfter((folder) => spoil(file(folder), at, 100))
    expect(faults).toEqual([expect.stringContaining(place)])
  }
  const stated = JSON.parse(
    JSON.parse(
      readFileSync(commit(sample, 1), 'utf8')
        .split('\n')
        .find((line) => line.includes('"add"'))!,
    ).add.stats,
  )
  expect(stated).toMatchObject({ numRecords: 3, minValues: { id: 'a' }, maxValues: { id: 'c' } })
  const faults = await faultsAfter((folder) => {
    replaceIn(commit(folder, 1), '\\"numRecords\\":3', '\\"numRecords\\":4')
    replaceIn(commit(folder, 1), '\\"id\\":\\"a\\"', '\\"id\\":\\"b\\"')
    replaceIn(commit(folder, 1), '\\"ended_at\\":\\"2024-05-01T10:00:01', '\\"ended_at\\":\\"2024-05-01T10:00:02')
    replaceIn(commit(folder, 1), '\\"exception\\":3', '\\"exception\\":2')
  })
  const [file1] = namesOf(calls(sample), '.parquet').filter((each) =>
    readFileSync(commit(sample, 1), 'utf8').includes(each),
  )
  expect(faults.sort()).toEqual([
    `tables/calls/${file1}: has 3 nulls in exception, but the Delta log says 2`,
    `tables/calls/${file1}: has 3 rows, but the Delta log says 4`,
    `tables/calls/${file1}: has ended_at "2024-05-01T10:00:01.000Z", below the minimum ` +
      '"2024-05-01T10:00:02.000Z" in the Delta log',
    `tables/calls/${file1}: has id "a", below the minimum "b" in the Delta log`,
  ])
})

test('reports rows that are in two files', async () => {
  const faults = await faultsAfter((folder) => {
    const [name] = namesOf(calls(folder), '.parquet')
    const text = [1, 2]
      .map((version) => readFileSync(commit(folder, version), 'utf8'))
      .find((each) => each.includes(name!))!
    const add = text.split('\n').find((line) => line.includes('"add"'))!
    writeFileSync(join(calls(folder), 'part-again.parquet'), readFileSync(join(calls(folder), name!)))
    writeFileSync(commit(folder, 3), `${add.replace(name!, 'part-again.parquet')}\n`)
  })
  expect(faults.length).toBeGreaterThan(1)
  for (const fault of faults)
    expect(fault).toMatch(/^tables\/calls: the row \["acme\/one","[a-e]"\] occurs 2 times in files$/)
})

test('reports indexes that are damaged, or lack rows', async () => {
  const indexes = (folder: string) => indexFiles({ tableFolder: calls(folder) })
  const [path, other] = indexes(sample) as [string, string]
  const place = `tables/calls/${basename(path, '.index')}`
  const copyIn = (folder: string) => join(calls(folder), '_filters', basename(path))
  expect(await faultsAfter((folder) => truncateSync(copyIn(folder), 100))).toEqual([
    `${place}: has a damaged index; the server rebuilds it`,
  ])
  const advice = 'delete the index, and a running server rebuilds it'
  expect(await faultsAfter((folder) => damageSection(copyIn(folder), 'bloom'))).toEqual([
    `${place}: has a damaged Bloom filter; ${advice}`,
  ])
  expect(await faultsAfter((folder) => damageSection(copyIn(folder), 'keys'))).toEqual([
    `${place}: has a damaged list of keys; ${advice}`,
  ])
  expect(await faultsAfter((folder) => damageSection(copyIn(folder), 'hashes'))).toEqual([
    `${place}: has a damaged list of hashes; ${advice}`,
  ])
  const denying = BloomFilter.withCapacity(100).toBytes()
  expect(await faultsAfter((folder) => replaceSection(copyIn(folder), 'bloom', denying))).toEqual([
    expect.stringMatching(new RegExp(`^${place}: has a Bloom filter that lacks [23] of its rows`)),
  ])
  const ofOther = async (section: string) => (await sectionsOf(other)).find(({ name }) => name === section)!.content
  const keysOfOther = await ofOther('keys')
  expect(await faultsAfter((folder) => replaceSection(copyIn(folder), 'keys', keysOfOther))).toEqual([
    expect.stringMatching(new RegExp(`^${place}: has a list of keys that lacks [23] of its rows`)),
  ])
  const hashesOfOther = await ofOther('hashes')
  expect(await faultsAfter((folder) => replaceSection(copyIn(folder), 'hashes', hashesOfOther))).toEqual([
    expect.stringMatching(new RegExp(`^${place}: has a list of hashes that lacks [1-6] of its values`)),
  ])
  expect(await faultsAfter((folder) => rmSync(copyIn(folder)))).toEqual([])
})

test('reports a last commit that is damaged or missing', async () => {
  const place = 'tables/calls/_delta_log'
  const cut = await faultsAfter((folder) => {
    const file = commit(folder, 2)
    writeFileSync(file, readFileSync(file).subarray(0, -10))
  })
  expect(cut).toContainEqual(expect.stringMatching(new RegExp(`^${place}: 0+2.json cannot be read: `)))
  const gone = await faultsAfter((folder) => rmSync(commit(folder, 2)))
  expect(gone).toEqual([expect.stringMatching(/^tables\/calls\/part-.*: is not named by any commit of the Delta log/)])
})

test('reports a Delta log with gaps, damage and contradictions', async () => {
  const place = 'tables/calls/_delta_log'
  expect(await faultsAfter((folder) => rmSync(commit(folder, 1)))).toContain(`${place}: commit 1 is missing`)
  expect(await faultsAfter((folder) => replaceIn(commit(folder, 1), '{"add"', '{add'))).toContainEqual(
    expect.stringContaining(`${place}: 00000000000000000001.json cannot be read`),
  )
  const remove = '{"remove":{"path":"part-none.parquet","deletionTimestamp":1,"dataChange":true}}\n'
  expect(await faultsAfter((folder) => writeFileSync(commit(folder, 3), remove))).toEqual([
    `${place}: 00000000000000000003.json removes part-none.parquet, which is not in the table`,
  ])
  const again = await faultsAfter((folder) => writeFileSync(commit(folder, 3), readFileSync(commit(folder, 2))))
  expect(again).toEqual([
    expect.stringMatching(new RegExp(`^${place}: 0+3.json adds part-.*, which is already in the table$`)),
  ])
  expect(await faultsAfter((folder) => rmSync(log(folder), { recursive: true }))).toContain(`${place}: has no commit`)
  expect(await faultsAfter((folder) => rmSync(calls(folder), { recursive: true }))).toContain(
    'tables/calls: the folder of the table is missing',
  )
})

test('reports checkpoints that are unreadable, missing or do not match the commits', async () => {
  const place = 'tables/calls/_delta_log'
  const [name] = namesOf(log(backup), '.checkpoint.parquet')
  expect(await faultsAfter((folder) => spoil(join(log(folder), name!), 0.8, 1000), backup)).toEqual([
    expect.stringContaining(`${place}: ${name} cannot be read`),
  ])
  expect(await faultsAfter((folder) => rmSync(join(log(folder), name!)), backup)).toEqual([
    `${place}: _last_checkpoint names checkpoint 2, which is missing`,
  ])
  const dropped = await faultsAfter(async (folder) => {
    const file = join(log(folder), name!)
    await queryDuckDb(
      `COPY (SELECT * FROM '${file}' WHERE add IS NULL OR add.path <> (SELECT max(add.path) FROM '${file}')) TO ` +
        `'${file}.new' (FORMAT parquet)`,
    )
    writeFileSync(file, readFileSync(`${file}.new`))
    rmSync(`${file}.new`)
  }, backup)
  expect(dropped).toEqual([
    `${place}: ${name} differs from the result of the commits before it`,
    expect.stringContaining('is not named by any commit of the Delta log'),
  ])
})

test('reports damaged log files, but not a torn end', async () => {
  const wal = (folder: string) => join(calls(folder), '_wal')
  const name = namesOf(wal(sample), '.arrows').at(-1)!
  const place = `tables/calls/_wal/${name}`
  expect(await faultsAfter((folder) => spoil(join(wal(folder), name), 0.9))).toEqual([
    expect.stringMatching(new RegExp(`^${place}: bytes \\d+ to \\d+ are damaged$`)),
  ])
  const torn = (folder: string) => {
    const bytes = readFileSync(join(wal(folder), name))
    writeFileSync(join(wal(folder), name), bytes.subarray(0, bytes.byteLength - 10))
  }
  expect(await faultsAfter(torn)).toEqual([])
})

test('reports blobs that do not match their digest', async () => {
  const path = join('blobs', helloDigest.slice(0, 2), helloDigest)
  expect(await faultsAfter((folder) => writeFileSync(join(folder, path), 'hallo'))).toEqual([
    expect.stringMatching(new RegExp(`^${path}: does not match its name: its digest is `)),
  ])
  const longer = await faultsAfter((folder) => writeFileSync(join(folder, path), 'hello!'))
  expect(longer).toContain(`tables/files: ${helloDigest} of acme/one: its content has 6 bytes instead of 5`)
})

test('reports objects and rows that do not match their digest', async () => {
  const digest = rowDigest({ n: 2 })
  const cells = { project_id: 'acme/one', digest, created_at: Date.now() * 1000 }
  const changed: [Table, Row, string][] = [
    [tableRows, tableRows.row({ ...cells, val: '{"n":2.5}', size_bytes: 7, seq: 1 }), digest],
    [
      objectsTable,
      objectsTable.row({ ...newVersion, ...cells, id: `o:${digest}`, size_bytes: 2, val: 'no' }),
      `o:${digest}`,
    ],
  ]
  for (const [table, row, name] of changed) {
    const what = `has a row that does not match its digest: ${name} of acme/one`
    const faults = await faultsAfter(async (folder) => {
      const store = await openStore(folder)
      await store.write(table.name, [row])
      expect(await faultsOf(folder)).toEqual([
        expect.stringMatching(new RegExp(`^tables/${table.name}/_wal/[^/]*: ${what}$`)),
      ])
      await store.close()
    })
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^tables/${table.name}/part-[^/]*: ${what}$`))])
  }
}, 120_000)

test('reports row tables whose chunks or rows are missing', async () => {
  const remove = async (folder: string, table: Pick<typeof tableRows, 'name' | 'tombstone'>, digest: string) => {
    const store = await openStore(folder)
    const nowMicros = Date.now() * 1000
    await store.write(table.name, [table.tombstone('acme/one', digest, nowMicros)])
    await store.close()
  }
  const digests = [{ n: 1 }, { n: 2 }, { n: 3 }].map(rowDigest)
  const list = digestOfRows(digests)
  expect(await faultsAfter((folder) => remove(folder, tableRows, digests[1]!))).toEqual([
    `tables/table_lists: ${list} of acme/one: 1 of its rows are missing, the first is ${digests[1]}`,
  ])
  expect(await faultsAfter((folder) => remove(folder, tableChunks, list))).toEqual([
    `tables/table_lists: ${list} of acme/one: its chunk ${list} is missing`,
  ])
})

test('reports an interrupted first backup', async () => {
  expect(await faultsAfter((folder) => writeFileSync(join(folder, 'backup-unfinished.json'), '{}'), backup)).toEqual([
    'backup-unfinished.json: the backup into this folder was interrupted and is incomplete',
  ])
})
