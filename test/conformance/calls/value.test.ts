import { expect, test } from 'bun:test'
import type { Project } from '../support/project.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, ownServer, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Value {
  path: string
  type: string
  characters: number
  offset: number
  text: string
  next_offset: number | null
}

const ask = (project: Project, path: unknown, more: Record<string, unknown> = {}) =>
  project.client.post<Value>('/call/value', { project_id: project.id, call_id: 'a', path, ...more })

async function valueAt(project: Project, path: unknown, more: Record<string, unknown> = {}): Promise<Value> {
  const answer = await ask(project, path, more)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}

const inputs = '{"10":1.0,"2":12345678901234567890,"a.b":{"":[1e400,"x\\"y"]},"text":"Grüße 👋","nothing":null}'

async function projectWithCall(): Promise<Project> {
  const project = freshProject(server)
  const start = `{"start":{"project_id":"${project.id}","id":"a","op_name":"f","started_at":"2024-05-01T10:00:00Z",
    "attributes":{"env":"prod"},"inputs":${inputs}}}`
  expect((await server.postRaw('/call/start', start)).status).toBe(200)
  await project.end({ id: 'a', output: [1, 'two'], summary: { usage: {} }, exception: 'Oh 👋' })
  return project
}

test('returns texts as stored', async () => {
  const project = await projectWithCall()
  expect(await valueAt(project, 'inputs')).toEqual({
    path: 'inputs',
    type: 'object',
    characters: inputs.length,
    offset: 0,
    text: inputs,
    next_offset: null,
  })
  const texts = async (path: unknown) => {
    const { type, text } = await valueAt(project, path)
    return `${type} ${text}`
  }
  expect(await texts('inputs.10')).toBe('number 1.0')
  expect(await texts('inputs.2')).toBe('number 12345678901234567890')
  expect(await texts('inputs.text')).toBe('string "Grüße 👋"')
  expect(await texts('inputs.nothing')).toBe('null null')
  expect(await texts(['inputs', 'a.b', '', '0'])).toBe('number 1e400')
  expect(await texts('inputs.a\\.b')).toBe('object {"":[1e400,"x\\"y"]}')
  expect((await valueAt(project, ['inputs', 'a.b'])).path).toBe('inputs.a\\.b')
  expect(await texts('output')).toBe('array [1,"two"]')
  expect(await texts('output.1')).toBe('string "two"')
  expect(await texts('attributes.env')).toBe('string "prod"')
  expect(await texts('summary')).toBe('object {"usage":{}}')
})

test('returns long texts in pieces, also of characters of several bytes', async () => {
  const project = freshProject(server)
  const long = 'abcdefghij'.repeat(60_000)
  const wide = 'ü👋'.repeat(1000)
  await project.complete({ id: 'a', inputs: { long }, output: wide })
  const whole = async (path: string, length?: number): Promise<string> => {
    let text = ''
    let next: number | null = 0
    for (let pieces = 0; next !== null && pieces < 10_000; pieces++) {
      const piece: Value = await valueAt(project, path, { offset: next, ...(length !== undefined && { length }) })
      expect(piece.offset).toBe(text.length)
      expect(piece.text.isWellFormed()).toBe(true)
      text += piece.text
      next = piece.next_offset
    }
    return text
  }
  expect(await whole('inputs')).toBe(JSON.stringify({ long }))
  expect(await whole('inputs.long', 500_000)).toBe(JSON.stringify(long))
  expect(await whole('output', 100)).toBe(JSON.stringify(wide))
  expect((await valueAt(project, 'inputs')).text).toHaveLength(262_144)
  expect(await valueAt(project, 'output', { offset: 2, length: 1 })).toMatchObject({ text: '👋', next_offset: 4 })
  expect(await valueAt(project, 'inputs', { offset: 1_000_000 })).toMatchObject({ text: '', next_offset: null })
})

test('returns sizes that agree with the texts', async () => {
  const project = await projectWithCall()
  const { sizes } = (
    await server.post<{ sizes: Record<string, number> }>('/call/sizes', { project_id: project.id, call_id: 'a' })
  ).json
  expect(sizes).toEqual({
    inputs: inputs.length,
    output: '[1,"two"]'.length,
    attributes: '{"env":"prod"}'.length,
    summary: '{"usage":{}}'.length,
    exception: 'Oh 👋'.length,
  })
  const started = freshProject(server)
  await started.start({ id: 'a' })
  expect((await server.post('/call/sizes', { project_id: started.id, call_id: 'a' })).json).toEqual({
    sizes: { inputs: 2, output: 4, attributes: 2, summary: 2, exception: 0 },
  })
  expect((await valueAt(started, 'output')).type).toBe('null')
})

test('reads data files like memory', async () => {
  const own = await ownServer()
  const project = freshProject(own.client)
  await project.complete({ id: 'a', inputs: { n: [1, 2, 3] }, output: 'ü' })
  expect((await own.client.post('/flush', {})).status).toBe(200)
  expect(await valueAt(project, 'inputs.n.2')).toMatchObject({ text: '3' })
  expect(await valueAt(project, 'output')).toMatchObject({ text: '"ü"', characters: 3 })
})

test('rejects unknown calls and paths', async () => {
  const project = await projectWithCall()
  expectRefusal(await ask(project, 'inputs.missing.x'), 404, '"inputs.missing.x"')
  expectRefusal(await ask(project, 'inputs', { call_id: 'unknown' }), 404, '"unknown"')
  expectRefusal(await server.post('/call/sizes', { project_id: project.id, call_id: 'unknown' }), 404, '"unknown"')
  expectRefusal(await ask(project, 'op_name'), 422, '"op_name"', 'inputs')
  expectRefusal(await ask(project, 'inputs..x'), 422, '"inputs..x"')
  expectInvalid(await ask(project, 'inputs', { offset: -1 }), ['body', 'offset'])
  expectInvalid(await ask(project, 'inputs', { length: 5_000_000 }), ['body', 'length'])
  expectInvalid(await ask(project, []), ['body', 'path'])
})
