import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { S3Server } from '../lake/s3-server.ts'
import { expectLedger, LakeLoad, LakeNodes } from './lake-nodes.ts'

const kills = 3
const others = (process.env['TRACELAKE_TEST_S3'] ?? '').split(' ').filter(Boolean)
const ownServer = await new S3Server().start()
const stores = [`a server in memory=${ownServer.endpoint}`, ...others].map((each) => {
  const [, name = '', endpoint = ''] = /^([^=]*)=(.*)$/.exec(each) ?? []
  return [name, endpoint] as const
})

let folder: string
let nodes: LakeNodes
beforeEach(async () => {
  folder = await makeTempFolder()
})
afterEach(async () => {
  await nodes.killAll()
  await removeFolder(folder)
})
afterAll(() => ownServer.stop())

test.each(stores)(
  'nodes with data in %s lose nothing when they are killed, and hand over when stopped',
  async (_, endpoint) => {
    nodes = new LakeNodes(folder, {
      TRACELAKE_LAKE: `s3://lake/${crypto.randomUUID()}`,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-east-1',
    })
    let owner = await nodes.start()
    const load = new LakeLoad(await owner.listening(), 'load')
    const stored = async (more: number) => {
      const before = load.accepted.length
      await until(() => load.accepted.length > before + more)
    }
    for (let kill = 1; kill <= kills; kill++) {
      const standby = await nodes.start()
      await standby.waiting()
      // On a slow machine the standby may take over before the owner is killed.
      const takenOver = standby.listening().then((client) => {
        load.client = client
      })
      await stored(20)
      await load.client.post('/flush', {}).catch(() => undefined)
      await stored(20)
      await owner.kill()
      await takenOver
      await stored(1)
      await expectLedger(load.client, load)
      owner = standby
    }
    const last = await nodes.start()
    await last.waiting()
    const code = await owner.stop()
    if (code !== 0) expect(await owner.kill()).toContain('another node has taken the lake over')
    load.client = await last.listening()
    await stored(1)
    await load.end()
    await expectLedger(load.client, load)
  },
  600_000,
)
