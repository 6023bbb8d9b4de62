import { afterAll, expect, test } from 'bun:test'
import { TestProvider } from '../support/openid-provider.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { ownServer } from '../support/target.ts'
import { Traveller } from './traveller.ts'

const provider = await TestProvider.start({
  people: {
    ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['ml-team', 'staff'] },
    bob: { name: 'Bob', email: 'bob@example.com', groups: ['staff'] },
  },
})
afterAll(() => provider[Symbol.asyncDispose]())
const server = await ownServer({ env: provider.settings('ml-team=write:acme, staff=read:shared/docs') })

interface Person {
  id: string
  name: string
  email: string | null
  groups: string[]
  sessions: number
  is_own: boolean
}
const people = async () => (await server.client.post<{ people: Person[] }>('/people/query', {})).json.people

test('lists the people who have signed in, and ends their sessions', async () => {
  expect(await people()).toEqual([])
  const [desk, phone, bob] = [1, 2, 3].map(() => new Traveller(server.client.address))
  await desk!.signIn('ada')
  await phone!.signIn('ada')
  await bob!.signIn('bob')
  const listed = await people()
  expect(listed).toMatchObject([
    { name: 'Bob', groups: ['staff'], sessions: 1 },
    { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['ml-team', 'staff'], sessions: 2, is_own: false },
  ])
  expect(JSON.stringify(listed)).not.toContain('subject')
  const { id } = listed[1]!
  expect((await server.client.post('/people/sign_out', { id })).json).toEqual({ sessions: 2 })
  expect((await desk!.session()).body).toMatchObject({ user_id: null })
  expect((await phone!.session()).body).toMatchObject({ user_id: null })
  expect((await bob!.session()).body).toMatchObject({ user_name: 'Bob' })
  expect((await people()).find((person) => person.id === id)).toMatchObject({ sessions: 0, groups: [] })
  // Again, and in again.
  expect((await server.client.post('/people/sign_out', { id })).json).toEqual({ sessions: 0 })
  await desk!.signIn('ada')
  expect((await desk!.session()).body).toMatchObject({ user_name: 'Ada Lovelace' })
})

test('rejects unknown people', async () => {
  expectRefusal(await server.client.post('/people/sign_out', { id: 'oidc-none' }), 404, 'oidc-none')
  expectInvalid(await server.client.post('/people/sign_out', {}), ['body', 'id'])
})
