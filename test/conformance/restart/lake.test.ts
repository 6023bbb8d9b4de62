import { afterAll, beforeAll, expect, test } from 'bun:test'
import { S3Server } from '../../lake/s3-server.ts'
import { Project } from '../support/project.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const testMsMax = 240_000

const store = new S3Server()
const caches: string[] = []
beforeAll(() => store.start())
afterAll(async () => {
  await store.stop()
  for (const cache of caches) await removeFolder(cache)
})

/** A node with an empty cache, once it serves. */
async function startNode(adminKey?: string): Promise<ServerProcess> {
  const data = await makeTempFolder()
  caches.push(data)
  return await startServer({
    data,
    ...(adminKey !== undefined && { adminKey }),
    env: {
      TRACELAKE_LAKE: 's3://lake/prefix',
      TRACELAKE_GRPC_PORT: '0',
      AWS_ENDPOINT_URL_S3: store.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  })
}

test(
  'a server with its data in an object store loses nothing when it is killed, or hands over',
  async () => {
    const killed = await startNode()
    const project = freshProject(killed.client)
    await project.add({ id: 'finished', output: { text: 'x'.repeat(1000) } }, { id: 'running', ended_at: null })
    await project.complete(...Array.from({ length: 300 }, (_, index) => ({ id: `many-${index}`, inputs: { index } })))
    const before = await project.ask()
    expect(before.text.split('\n')).toHaveLength(303)
    await killed.kill()

    const second = await startNode(killed.adminKey)
    const again = new Project(second.client, project.entity, project.name)
    expect((await again.ask()).text).toBe(before.text)
    await again.end({ id: 'running', output: 'late' })
    const after = await again.ask()
    const third = startNode(killed.adminKey)
    expect(await second.stop()).toBe(0)

    const last = await third
    try {
      const once = new Project(last.client, project.entity, project.name)
      expect((await once.ask()).text).toBe(after.text)
      await once.add({ id: 'new' })
      expect(await once.readExisting('new')).toMatchObject({ id: 'new' })
    } finally {
      expect(await last.stop()).toBe(0)
    }
  },
  testMsMax,
)
