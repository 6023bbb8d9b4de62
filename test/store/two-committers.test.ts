import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Database } from '../../src/runtime/duck/database.ts'
import { Writer } from '../../src/runtime/duck/writer.ts'
import type { PutIfAbsent } from '../../src/runtime/platform/files/durable-files.ts'
import { Random, seedOr } from './random.ts'
import { TwoCommitters } from './two-committers.ts'

const interleavings = Number(process.env['TRACELAKE_TEST_INTERLEAVINGS'] ?? 4_000)
const together = 500

// In memory if possible: power cuts do not matter here, and each commit is synced several times.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tracelake-two-'))
const database = await Database.open({ memoryBytesMax: 256e6, temporaryFolder: root })
const duck = new Writer(await database.connect())
afterAll(() => {
  duck.close()
  database.close()
  rmSync(root, { recursive: true })
})

async function faultsOf(seed: number, write?: PutIfAbsent): Promise<string[]> {
  const folder = join(root, String(seed))
  const run = new TwoCommitters({ random: new Random(seed), folder, duck, ...(write && { write }) })
  try {
    const faults = await run.run()
    return faults.length === 0 ? [] : [`seed ${seed}`, ...faults, ...run.did]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const first = seedOr(1)
for (let from = first; from < first + interleavings; from += together) {
  test(`two committers lose, duplicate and resurrect nothing, seeds from ${from}`, async () => {
    for (let seed = from; seed < Math.min(from + together, first + interleavings); seed++)
      expect(await faultsOf(seed)).toEqual([])
  }, 120_000)
}

test('the simulation detects a commit that overwrites another', async () => {
  const overwrite: PutIfAbsent = async (file, content) => {
    await writeFile(file, content)
    return true
  }
  let faulty = 0
  for (let seed = 1; seed <= 200; seed++) {
    const faults = await faultsOf(seed, overwrite).catch((cause: unknown) => [String(cause)])
    if (faults.length > 0) faulty++
  }
  expect(faulty).toBeGreaterThan(10)
}, 120_000)
