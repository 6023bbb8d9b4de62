import { beforeAll, describe, expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

/** Together larger than one fetch, which is 24 MiB; in several scripts. */
const count = 40
const payloadChars = 1_000_000
const project = freshProject(await sharedServer())
const ids = Array.from({ length: count }, (_, index) => `call-${String(index).padStart(2, '0')}`)
const textOf = (index: number) =>
  ['plain', 'é漢😀', '"quoted"\n', ''][index % 4]! + 'x'.repeat(index % 3 === 0 ? payloadChars : index)

beforeAll(async () => {
  for (const [index, id] of ids.entries()) {
    const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
    await project.add({ id, started_at: startedAt, inputs: { text: textOf(index) }, output: textOf(index + 1) })
  }
})

describe('a stream that is fetched in chunks', () => {
  test('has every call in full, in order', async () => {
    const calls = await project.query()
    expect(calls.map(({ id }) => id)).toEqual(ids)
    for (const [index, { inputs, output }] of calls.entries()) {
      if (inputs['text'] !== textOf(index) || output !== textOf(index + 1)) throw new Error(`${ids[index]} differs`)
    }
  })

  test('is the same as JSON and as JSON Lines', async () => {
    const lines = (await project.ask({})).text
    const json = (await project.ask({}, 'application/json')).text
    if (`{"calls":[${lines.trimEnd().replaceAll('\n', ',')}]}` !== json) throw new Error('they differ')
  })

  const newestFirst = [{ field: 'started_at', direction: 'desc' }]
  const cases: [string, Record<string, unknown>, string[]][] = [
    ['an offset', { offset: 7 }, ids.slice(7)],
    ['an offset into a later piece', { offset: 36 }, ids.slice(36)],
    ['a limit', { limit: 5_990, offset: 20 }, ids.slice(20)],
    ['the newest first', { sort_by: newestFirst }, ids.toReversed()],
    ['the newest first, with an offset', { sort_by: newestFirst, offset: 9 }, ids.toReversed().slice(9)],
  ]
  test.each(cases)('accepts %s', async (_what, request, wanted) => {
    expect(await project.idsOf({ ...request, columns: ['inputs'] })).toEqual(wanted)
  })
})
