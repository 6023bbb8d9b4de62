import { expect, test } from 'bun:test'
import { freshProject, ownServer } from '../support/target.ts'

const server = await ownServer()
const flush = async () => expect((await server.client.post('/flush', {})).status).toBe(200)

test('counts flushed and unflushed calls of one project among several', async () => {
  const [one, other] = [freshProject(server.client), freshProject(server.client)]
  await one.add({ id: 'a' }, { id: 'b' }, { id: 'c' })
  await other.add({ id: 'a' })
  await flush()
  await one.add({ id: 'd' }, { id: 'e' })
  await flush()
  expect((await one.stats()).count).toBe(5)
  await one.add({ id: 'f' })
  expect((await one.stats()).count).toBe(6)
  expect(await one.stats({ limit: 4 })).toMatchObject({ count: 4, has_more: true })
  await one.update('a', 'renamed')
  await one.delete('b')
  expect((await one.stats()).count).toBe(5)
  await flush()
  expect([(await one.stats()).count, (await other.stats()).count]).toEqual([5, 1])
}, 120_000)
