import { beforeEach, expect, test } from 'bun:test'
import { memoryStoreOf, SimulatedObjects, SimulatedStore } from '../../../test/lake/simulated-store.ts'
import type { Documents } from '../../runtime/documents/documents.ts'
import { ObjectDocuments } from '../../runtime/documents/object-documents.ts'
import { createLog } from '../../runtime/log.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { systemClock } from '../../runtime/platform/clock.ts'
import { Access } from './access.ts'
import { Accounts } from './accounts.ts'
import { KeyRing } from './key-ring.ts'
import { KeyUses } from './key-uses.ts'
import { SealingKeyDocument } from './secrets/sealing-key.ts'
import { SecretStore } from './secrets/secret-store.ts'
import { LoginLinks } from './sessions/login-links.ts'
import { Logins } from './sessions/logins.ts'

const log = createLog('silent')
const clock = systemClock
const bearer = (key: string) => new Headers({ authorization: `Bearer ${key}` })

let objects: SimulatedObjects
let store: ObjectStore
beforeEach(() => {
  objects = new SimulatedObjects()
  store = memoryStoreOf(objects)
})

const documentsOf = (node: string) => new ObjectDocuments({ store, node })

async function startNode(node: string) {
  const documents = documentsOf(node)
  const access = await Access.open({ documents, adminKey: undefined, clock, log })
  return { access, logins: await Logins.open({ documents, access, clock, log }) }
}

const secretsOf = (documents: Documents) =>
  new SecretStore({ documents, key: new SealingKeyDocument(documents), clock })

test('keys and sessions outlive the node; only the first one makes an admin key', async () => {
  const first = await startNode('a')
  const key = first.access.firstAdminKey ?? ''
  const { token } = await first.logins.withKey(key, '127.0.0.1')
  const second = await startNode('b')
  expect(second.access.firstAdminKey).toBeUndefined()
  expect((await second.access.authenticate(bearer(key))).role).toBe('admin')
  expect((await second.logins.sessions.find(token))?.caller.userId).toBe(key.slice(0, 8))
  await expect(first.logins.withKey(key, '127.0.0.1')).rejects.toMatchObject({ type: 'StoreUnavailable' })
  expect(await second.logins.sessions.find(token)).toBeDefined()
})

test('a key that a command has just made works at once', async () => {
  const { access } = await startNode('a')
  const { text } = await new KeyRing(documentsOf('command'), clock).create({ name: 'ci', role: 'write', scope: '*' })
  expect((await access.authenticate(bearer(text))).userName).toBe('ci')
})

test('of two nodes that start on an empty store at the same time, one makes the admin key', async () => {
  const opened = await Promise.all(['a', 'b'].map((node) => new KeyRing(documentsOf(node), clock).createFirst()))
  expect(opened.filter((key) => key !== undefined)).toHaveLength(1)
  expect(await new KeyRing(documentsOf('c'), clock).list()).toHaveLength(1)
})

test('a login link that two nodes are given at the same time opens one session', async () => {
  const once = await new LoginLinks(documentsOf('a'), clock).create()
  const redeemed = await Promise.all(['b', 'c'].map((node) => new LoginLinks(documentsOf(node), clock).redeem(once)))
  expect(redeemed.toSorted()).toEqual([false, true])
})

test('another node decrypts the secrets, and two nodes never make two keys', async () => {
  const [one, other] = [secretsOf(documentsOf('a')), secretsOf(documentsOf('b'))]
  const [first, second] = await Promise.all([
    one.set({ name: 'ONE', scope: '*', value: 'first', hosts: [] }),
    other.set({ name: 'TWO', scope: '*', value: 'second', hosts: [] }),
  ])
  const third = secretsOf(documentsOf('c'))
  expect([await third.open(first), await third.open(second)]).toEqual(['first', 'second'])
  expect((await third.list()).map(({ name }) => name).toSorted()).toEqual(['ONE', 'TWO'])
  const kept = [...objects.objects.values()].map(({ bytes }) => new TextDecoder().decode(bytes)).join('')
  expect(kept).not.toContain('"first"')
})

test('a missing key is an error that says what to do', async () => {
  const secrets = secretsOf(documentsOf('a'))
  const record = await secrets.set({ name: 'ONE', scope: '*', value: 'first', hosts: [] })
  await store.delete('secrets-key.json')
  await expect(secretsOf(documentsOf('b')).open(record)).rejects.toThrow('set TRACELAKE_SECRETS_KEY_FILE')
})

test('people who signed in are known to the next node', async () => {
  const person = { issuer: 'https://id.example', subject: 's', name: 'Ada', email: undefined }
  const account = await (await Accounts.open({ documents: documentsOf('a'), clock, log })).signedIn(person)
  expect((await Accounts.open({ documents: documentsOf('b'), clock, log })).find(account.id)?.name).toBe('Ada')
})

test('uses of keys are written once in a while, however many there are, and when the node stops', async () => {
  let puts = 0
  const counted = new SimulatedStore(async (operation) => {
    if (operation.kind === 'put') puts++
    return objects.run(operation)
  })
  const documents = new ObjectDocuments({ store: counted, node: 'a' })
  const uses = await KeyUses.open({ documents, clock, log })
  const before = puts
  for (let count = 0; count < 1_000; count++) uses.note(`key-${count % 3}`)
  await uses.close()
  // The first use, and the others when the node stops.
  expect(puts - before).toBe(2)
  const next = await KeyUses.open({ documents: documentsOf('b'), clock, log })
  expect(['key-0', 'key-1', 'key-2'].every((id) => next.lastUsedAt(id) !== null)).toBe(true)
})

test('a key whose making got no answer is named, so that it can be revoked', async () => {
  const cut = new SimulatedStore(async (operation) => {
    const done = objects.run(operation)
    if (operation.kind === 'put') throw new ObjectStoreError('unreachable', 'no answer')
    return done
  })
  const ring = new KeyRing(new ObjectDocuments({ store: cut, node: 'a' }), clock)
  const error: unknown = await ring.create({ name: 'ci', role: 'read', scope: '*' }).catch((cause: unknown) => cause)
  const [record] = await new KeyRing(documentsOf('b'), clock).list()
  expect(error).toMatchObject({
    type: 'StoreUnavailable',
    message: expect.stringContaining(`If the key "${record?.id}" is listed afterwards, revoke it`),
  })
})
