import { expect, test } from 'bun:test'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'

const rounds = 4
const random = new Random(seedOr(20_261_129))

/** A runtime as a list of names of models; null if it was deleted. */
type Wanted = readonly string[] | null

test('a runtime that was put or deleted survives a kill, and a broken-off request can be repeated', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data })
  const { adminKey } = server
  const acknowledged = new Map<string, Wanted>()
  const begun = new Map<string, Wanted>()
  const project = () => new Project(server.client, 'crash', 'runtimes')
  const send = (name: string, wanted: Wanted) => {
    const path = project().v2(`runtimes/${name}`)
    if (wanted === null) return project().client.delete(path)
    const runtime_ids = wanted.map((id) => ({ id }))
    return project().client.put(path, { base_url: 'https://models.example.com/v1', runtime_ids })
  }
  const stored = async () => {
    const { json } = await project().client.get<{ runtimes: { name: string; runtime_ids: { id: string }[] }[] }>(
      project().v2('runtimes'),
    )
    return new Map(json.runtimes.map(({ name, runtime_ids }) => [name, runtime_ids.map(({ id }) => id)]))
  }
  try {
    for (let round = 0; round < rounds; round++) {
      let count = 0
      const work = Array.from({ length: 3 }, async (_, worker) => {
        const name = `house-${worker}`
        for (let turn = 0; turn < 20; turn++) {
          const models = Array.from({ length: 1 + (turn % 5) }, (_, at) => `m${round}-${at}`)
          const wanted = turn % 3 === 2 ? null : models
          begun.set(name, wanted)
          const answer = await send(name, wanted).catch(() => undefined)
          if (answer?.status !== 200) return
          acknowledged.set(name, wanted)
          begun.delete(name)
          count += 1
        }
      })
      await Bun.sleep(random.between(5, 250))
      while (count === 0) await Bun.sleep(5)
      await server.kill()
      await Promise.allSettled(work)
      server = await startServer({ data, adminKey })
      const now = await stored()
      for (const [name, wanted] of acknowledged) {
        if (!begun.has(name)) expect([name, now.get(name) ?? null]).toEqual([name, wanted as string[] | null])
      }
      for (const [name, wanted] of begun) {
        const { status } = await send(name, wanted)
        expect([200, wanted === null ? 404 : 200]).toContain(status)
        expect([name, (await stored()).get(name) ?? null]).toEqual([name, wanted as string[] | null])
        acknowledged.set(name, wanted)
      }
      begun.clear()
    }
  } finally {
    await server.stop()
    await removeFolder(data)
  }
}, 300_000)
