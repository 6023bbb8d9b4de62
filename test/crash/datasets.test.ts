import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatasetFiles } from '../conformance/support/datasets.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const rows = 8_000
const rounds = 4
const adminKey = 'c'.repeat(40)

const fileOf = (round: number) =>
  `a,b\n${Array.from({ length: rows }, (_, at) => `${at},round ${round} row ${at}`).join('\n')}\n`

const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
test(`an import that is killed is there as a whole or not at all (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  /** Versions that were acknowledged, and whether that of the last round may be there. */
  const acknowledged = new Set<number>()
  let tookMs = 0
  for (let round = 0; round <= rounds; round++) {
    const server = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      const client = await server.listening()
      const files = new DatasetFiles(new Project(client, 'crash', 'datasets'))
      // Leftovers of the upload and of its rows are gone once the server listens.
      const leftovers = (await readdir(join(data, 'tmp'))).filter((name) => /\.(?:import|rows)$/.test(name))
      expect(leftovers).toEqual([])
      for (let before = 0; before < round; before++) {
        const name = `round-${before}`
        const read = await client.post<{ rows: number }>('/datasets/columns', {
          project_id: files.project.id,
          object_id: name,
          digest: 'latest',
        })
        if (acknowledged.has(before)) expect(`${read.status} ${read.text}`).toStartWith('200 ')
        if (read.status === 200) expect([name, read.json.rows]).toEqual([name, rows])
        else expect([name, read.status]).toEqual([name, 404])
        // Whatever was left, the import can be repeated.
        if (before < round - 1) continue
        const startMs = performance.now()
        const made = await files.import(fileOf(before), { name })
        tookMs = performance.now() - startMs
        expect([made.version_index, made.rows]).toEqual([0, rows])
        acknowledged.add(before)
        expect((await files.rows('latest', name))[rows - 1]).toBe(
          `{"a":${rows - 1},"b":"round ${before} row ${rows - 1}"}`,
        )
      }
      if (round === rounds) {
        expect(await server.stop()).toBe(0)
        continue
      }
      const importing = files.ask(fileOf(round), { name: `round-${round}` }).catch(() => undefined)
      // At any point: while it arrives, is read, is stored, or is over.
      await Promise.race([importing, Bun.sleep(random.below(Math.max(400, tookMs)))])
      await server.kill()
      const answer = await importing
      if (answer?.status === 200) acknowledged.add(round)
    } finally {
      await server.kill()
    }
  }
  await removeFolder(data)
}, 240_000)
