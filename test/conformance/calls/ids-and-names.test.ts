import { describe, expect, test } from 'bun:test'
import { completeOf, endOf, startOf } from '../support/call-shapes.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const chosenIds = ['id', 'trace_id', 'parent_id'] as const

describe('ids that a client chooses', () => {
  test.each(chosenIds)('%s accepts letters, digits and _ . : - up to 128 characters', async (member) => {
    const project = freshProject(server)
    for (const value of ['0', 'Az09_.:-', 'x'.repeat(128), '00f067aa0ba902b7', crypto.randomUUID()]) {
      const id = member === 'id' ? value : crypto.randomUUID()
      await project.start({ id, [member]: value })
      expect((await project.readExisting(id))[member]).toBe(value)
    }
  })

  test.each(chosenIds)('%s rejects other characters and longer ids', async (member) => {
    const project = freshProject(server)
    for (const value of ['', ' ', 'a b', 'a/b', "a'b", 'ä', 'a\n', 'x'.repeat(129)]) {
      const start = startOf(project.id, { [member]: value })
      expectRefusal(await server.post('/call/start', { start }), 422, member)
    }
    expect((await project.stats()).count).toBe(0)
  })

  test('the id of an end follows the same rule', async () => {
    const end = endOf(freshProject(server).id, { id: 'a b' })
    expectRefusal(await server.post('/call/end', { end }), 422, 'id')
  })

  test('the ids of a finished call follow the same rule', async () => {
    const project = freshProject(server)
    const batch = [completeOf(project.id, { id: 'a', trace_id: 'a b' })]
    expectInvalid(await server.post(project.v2('calls/complete'), { batch }), ['body', 'batch', '0'])
  })

  test('are case-sensitive', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', op_name: 'lower' }, { id: 'A', op_name: 'upper' })
    expect((await project.readExisting('a')).op_name).toBe('lower')
    expect((await project.readExisting('A')).op_name).toBe('upper')
  })
})

describe('names of threads and turns', () => {
  test.each(['thread_id', 'turn_id'])('%s may be any text', async (member) => {
    const project = freshProject(server)
    const names = [
      'user@example.com',
      'Ticket 42 / Zoë',
      ' ',
      '😀'.repeat(1024),
      'it\'s "quoted"; --',
      '../a?b=c&d=%00',
      '名前\u2028',
    ]
    for (const name of names) {
      const { id } = await project.start({ [member]: name })
      expect((await project.readExisting(id))[member]).toBe(name)
      expect(await project.idsOf({ filter: { [`${member}s`]: [name] } })).toEqual([id])
      const query = { $expr: { $eq: [{ $getField: member }, { $literal: name }] } }
      expect(await project.idsOf({ query })).toEqual([id])
    }
  })

  test.each(['thread_id', 'turn_id'])(
    '%s must not be empty, over 1,024 characters or contain control characters',
    async (member) => {
      const project = freshProject(server)
      for (const name of ['', 'a\n', '\u0000', 'a\u007f', '\u0085b', 'x'.repeat(1025), '😀'.repeat(1025)]) {
        const start = startOf(project.id, { [member]: name })
        expectRefusal(await server.post('/call/start', { start }), 422, member)
      }
      expect((await project.stats()).count).toBe(0)
    },
  )
})

describe('op_name', () => {
  test.each([
    'answer',
    'module.Class.method',
    'Größe messen',
    'n'.repeat(128),
    'it\'s "quoted"',
    'ext:///acme/traces/op/answer:0123456789abcdef',
    'weave:///acme/traces/op/answer:0123456789abcdef',
    `ext:///acme/traces/op/${'n'.repeat(128)}:${'f'.repeat(43)}`,
  ])('may be %p', async (op_name) => {
    const project = freshProject(server)
    await project.start({ id: 'a', op_name })
    expect((await project.readExisting('a')).op_name).toBe(op_name)
  })

  test.each([
    ['empty', ''],
    ['much too long', 'n'.repeat(1025)],
    ['a ref to something else', 'ext:///acme/traces/object/prompt:0123456789abcdef'],
    ['a ref that is cut short', 'ext:///acme/traces'],
  ])('may not be %s', async (_kind, op_name) => {
    const start = startOf(freshProject(server).id, { op_name })
    expectRefusal(await server.post('/call/start', { start }), 400, 'op_name')
  })
})

describe('names with characters outside the BMP', () => {
  test.each([
    ['op_name', 128],
    ['display_name', 1024],
  ])('%s may have up to %d of them', async (member, chars) => {
    const project = freshProject(server)
    await project.start({ id: 'a', [member]: '😀'.repeat(chars) })
    expect(await project.readExisting('a')).toMatchObject({ [member]: '😀'.repeat(chars) })
    const start = startOf(project.id, { [member]: '😀'.repeat(chars + 1) })
    expectRefusal(await server.post('/call/start', { start }), 400, member)
  })
})

describe('display_name', () => {
  test('may have up to 1024 characters', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', display_name: 'n'.repeat(1024) })
    expect((await project.readExisting('a')).display_name).toBe('n'.repeat(1024))
    const start = startOf(project.id, { display_name: 'n'.repeat(1025) })
    expectRefusal(await server.post('/call/start', { start }), 400, 'display_name')
  })
})
