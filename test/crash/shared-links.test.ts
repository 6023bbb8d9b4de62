import { expect, test } from 'bun:test'
import { makeLink, Visitor } from '../conformance/shared-links/visitor.ts'
import { Project } from '../conformance/support/project.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'

const rounds = 5
const random = new Random(seedOr(20_261_128))

test('links and revocations that were acknowledged survive a kill', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data })
  const { adminKey } = server
  const open = new Set<string>()
  const revoked = new Set<string>()
  try {
    await new Project(server.client, 'acme', 'bot').complete({ id: 'a', trace_id: 'trace' })
    for (let round = 0; round < rounds; round++) {
      const project = new Project(server.client, 'acme', 'bot')
      const work = Array.from({ length: 4 }, async (_, worker) => {
        for (let turn = 0; turn < 4; turn++) {
          const { status, json: link } = await makeLink(project, 'trace')
          if (status !== 200) return
          if ((worker + turn) % 2 === 0) {
            open.add(link.path)
            continue
          }
          // A revocation that is not acknowledged may have happened or not.
          const body = { project_id: project.id, id: link.id }
          if ((await project.client.post('/shared_links/revoke', body)).status === 200) revoked.add(link.path)
        }
      })
      const over = Promise.allSettled(work)
      await Bun.sleep(random.between(5, 150))
      while (open.size + revoked.size === 0) await Bun.sleep(5)
      await server.kill()
      await over
      server = await startServer({ data, adminKey })
      for (const [paths, ended] of [
        [open, null],
        [revoked, 'revoked'],
      ] as const) {
        for (const path of paths) {
          expect(await (await new Visitor(server.client, path).open()).json()).toMatchObject({ ended })
        }
      }
      // A trace may have 50 links.
      const { json } = await server.client.post<{ links: { id: string }[] }>('/shared_links/query', {})
      for (const { id } of json.links) await server.client.post('/shared_links/revoke', { project_id: project.id, id })
      open.clear()
      revoked.clear()
    }
  } finally {
    await server.stop()
    await removeFolder(data)
  }
}, 300_000)
