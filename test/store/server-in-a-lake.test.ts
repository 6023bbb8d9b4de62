import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createApp } from '../../src/server/app.ts'
import { openContext } from '../../src/server/context.ts'
import { basic } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { memoryStoreOf, SimulatedObjects } from '../lake/simulated-store.ts'

setDefaultTimeout(120_000)

const projectId = 'acme/bot'

/** A server on an object store, with an empty cache. */
async function startNode(node: string, folder: string, objects: SimulatedObjects) {
  const log = createLog('silent')
  const config = loadConfig({ data: join(folder, node) }, () => undefined)
  const context = await openContext(config, log, undefined, { store: memoryStoreOf(objects), node })
  const { fetch } = createApp(context)
  const send = async (key: string, path: string, body: object): Promise<Response> => {
    const isForm = body instanceof FormData
    const headers = { authorization: basic('api', key), ...(!isForm && { 'content-type': 'application/json' }) }
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: isForm ? body : JSON.stringify(body),
    })
    return await fetch(request, { ip: () => undefined, holdOpen: () => () => {} })
  }
  return { context, send }
}

function formOf(content: string): FormData {
  const form = new FormData()
  form.set('project_id', projectId)
  form.set('file', new File([content], 'hello.txt'))
  return form
}

test('a node with an empty cache has everything of the one before, which can change nothing any more', async () => {
  const folder = await makeTempFolder()
  const objects = new SimulatedObjects()
  try {
    const first = await startNode('a', folder, objects)
    const key = first.context.services.access.firstAdminKey ?? ''
    const uploaded = await first.send(key, '/file/create', formOf('hello'))
    expect(uploaded.status).toBe(200)
    const { digest } = (await uploaded.json()) as { digest: string }
    const made = await first.send(key, '/keys/create', { name: 'ci', role: 'read', scope: 'acme' })
    const { key: other } = (await made.json()) as { key: string }
    const secretSet = await first.send(key, '/secrets/set', { name: 'KEY', scope: '*', value: 'secret' })
    expect([made.status, secretSet.status]).toEqual([200, 200])
    const { logins, sharedLinks } = first.context.services
    const { token, caller } = await logins.withKey(key, '127.0.0.1')
    const share = () => sharedLinks.create(caller.write(projectId), { traceId: 't', lifeMs: 3_600_000 })
    const { link } = await share()

    const second = await startNode('b', folder, objects)
    const { services } = second.context
    expect(services.access.firstAdminKey).toBeUndefined()
    const content = await second.send(other, '/file/content', { project_id: projectId, digest })
    expect([content.status, await content.text()]).toEqual([200, 'hello'])
    expect(await services.sharedLinks.list(() => true)).toEqual([link])
    const [secret] = await services.secrets.list()
    expect(secret && (await services.secrets.open(secret))).toBe('secret')
    expect((await services.logins.sessions.find(token))?.caller.role).toBe('admin')

    expect((await first.send(key, '/file/create', formOf('late'))).status).toBe(503)
    await expect(share()).rejects.toMatchObject({ type: 'StoreUnavailable' })
    await expect(logins.withKey(key, '127.0.0.1')).rejects.toMatchObject({ type: 'StoreUnavailable' })
    await first.context.close()
    expect((await second.send(key, '/file/create', formOf('more'))).status).toBe(200)
    await second.context.close()
    expect([...objects.objects.keys()].filter((name) => !name.includes('/')).toSorted()).toEqual([
      'accounts.json',
      'key-uses.json',
      'keys.json',
      'secrets-key.json',
      'secrets.json',
      'sessions.json',
      'shared-links.json',
    ])
  } finally {
    await removeFolder(folder)
  }
})
