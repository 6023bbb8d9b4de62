import { describe, expect, test } from 'bun:test'
import { defaultEndedAt, defaultStartedAt } from '../support/call-shapes.ts'
import type { Project } from '../support/project.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface RawParts {
  inputs?: string
  attributes?: string
  output?: string
  summary?: string
}

/** Sends a finished call whose free JSON is given as text, so that it arrives to the letter. */
function sendText(project: Project, { inputs = '{}', attributes = '{}', output = 'null', summary = '{}' }: RawParts) {
  const fixed = JSON.stringify({
    project_id: project.id,
    id: 'a',
    trace_id: 't',
    op_name: 'answer',
    started_at: defaultStartedAt,
    ended_at: defaultEndedAt,
  })
  const free = `"inputs":${inputs},"attributes":${attributes},"output":${output},"summary":${summary}`
  return server.postRaw(project.v2('calls/complete'), `{"batch":[${fixed.slice(0, -1)},${free}}]}`)
}

async function send(project: Project, parts: RawParts): Promise<void> {
  const answer = await sendText(project, parts)
  expect(`${answer.status} ${answer.text}`).toStartWith('200 ')
}

/** The answers that show a call, as text. */
async function textsOf(project: Project): Promise<string[]> {
  const read = await server.post('/call/read', { project_id: project.id, id: 'a' })
  const lines = await project.ask()
  const whole = await project.ask({}, 'application/json')
  return [read.text, lines.text, whole.text]
}

const nested = (levels: number): string => `${'{"x":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

describe('payloads are returned as sent', () => {
  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '1.0',
    '-0.0',
    '100.00',
    '0.1',
    '1e400',
    '3.141592653589793238462643383279',
    '1E+2',
  ])('the number %s is verbatim in inputs, attributes and output', async (number) => {
    const project = freshProject(server)
    const json = `{"n":${number},"list":[${number}]}`
    await send(project, { inputs: json, attributes: json, output: json })
    for (const text of await textsOf(project)) {
      const found = [...text.matchAll(/"n":\s*([^\s,}]+)/g)].map((match) => match[1])
      expect(found).toEqual([number, number, number])
    }
  })

  test('an output that is a bare number is verbatim', async () => {
    const project = freshProject(server)
    await send(project, { output: '1.0' })
    for (const text of await textsOf(project)) expect(text).toMatch(/"output":\s*1\.0[,}]/)
  })

  test.each([
    ['text of many scripts', { text: 'Grüße 你好 مرحبا 🦊 \u{1F9D1}\u200D\u{1F680}', ключ: 'é vs e\u0301' }],
    ['control characters', { text: 'tab\t line\n null\u0000 escape\u001b delete\u007f \u2028\u2029' }],
    ['quotes and backslashes', { text: `"'\\ \\n \\u0041 $1 %s`, '"quoted"': 1, 'back\\slash': 2 }],
    ['dots and brackets in keys', { 'a.b': 1, a: { b: 2 }, 'c[0]': 3, '$.d': 4, '': 5, ' ': 6 }],
    ['empty containers', { object: {}, list: [], nested: [{}, [], [[]]] }],
    ['null, true and false', { a: null, b: true, c: false, d: [null] }],
    ['text that looks like something else', { a: 'null', b: 'true', c: '1.0', d: '{"x":1}', e: 'NaN', f: '' }],
    ['keys of the server’s own', { id: 'x', project_id: 'y', ext_user_id: 'z', ext: { status: 'w' }, wb_user_id: 'v' }],
    ['keys that objects have by nature', { constructor: 1, toString: 2, hasOwnProperty: 3, length: 4 }],
  ])('%s', async (_kind, value) => {
    const project = freshProject(server)
    await project.add({ id: 'a', inputs: value, attributes: value, output: value })
    const call = await project.readExisting('a')
    expect(call.inputs).toEqual(value)
    expect(call.attributes).toEqual(value)
    expect(call.output).toEqual(value)
    expect(await project.query()).toEqual([call])
  })

  test('a key named __proto__', async () => {
    const project = freshProject(server)
    const json = '{"__proto__":{"polluted":1.0},"plain":[{"__proto__":2}]}'
    await send(project, { inputs: json, output: json })
    for (const text of await textsOf(project)) expect(text.match(/"__proto__":/g)).toHaveLength(4)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('strings that look like JSON', async () => {
    const project = freshProject(server)
    const texts = [',"":0}', '"', '"}', '\\",\\"\\":0}', ',"inputs":{}}\n', '\u0001\u2028é']
    await project.add(...texts.map((text, index) => ({ id: `c${index}`, display_name: text, exception: text })))
    const calls = await project.query()
    expect(calls.map((call) => [call.display_name, call.exception])).toEqual(texts.map((text) => [text, text]))
  })

  test('members keep their order', async () => {
    const project = freshProject(server)
    await send(project, { inputs: '{"z":1,"a":2,"m":{"y":1,"b":2}}' })
    const { inputs } = await project.readExisting('a')
    expect(JSON.stringify(inputs)).toBe('{"z":1,"a":2,"m":{"y":1,"b":2}}')
  })

  test('a lone surrogate becomes U+FFFD, a pair is kept', async () => {
    const project = freshProject(server)
    await send(project, { inputs: '{"lone":"a\\ud83dz","pair":"\\ud83e\\udd8a","key\\udc00":1}', output: '"\\udfff"' })
    const call = await project.readExisting('a')
    expect(call.inputs).toEqual({ lone: 'a\uFFFDz', pair: '🦊', 'key\uFFFD': 1 })
    expect(call.output).toBe('\uFFFD')
  })

  test('a long text', async () => {
    const project = freshProject(server)
    const text = 'lorem ipsum, "dolor" '.repeat(100_000)
    await project.add({ id: 'a', inputs: { text }, output: text })
    const call = await project.readExisting('a')
    expect(call.inputs['text'] === text).toBe(true)
    expect(call.output === text).toBe(true)
  })

  test('a call of several megabytes is not truncated', async () => {
    const project = freshProject(server)
    const rows = Array.from({ length: 40_000 }, (_, row) => ({ row, text: 'x'.repeat(100) }))
    await project.add({ id: 'a', output: rows })
    const { output } = await project.readExisting('a')
    expect(Bun.deepEquals(output, rows)).toBe(true)
  })

  test('nesting of 190 levels', async () => {
    const project = freshProject(server)
    await send(project, { output: nested(190) })
    expect(JSON.stringify((await project.readExisting('a')).output)).toBe(nested(190))
  })

  test('nesting beyond 200 levels is rejected', async () => {
    const project = freshProject(server)
    expectRefusal(await sendText(project, { output: nested(201) }), 413, '200')
    expectRefusal(await sendText(project, { output: '['.repeat(50_000) + ']'.repeat(50_000) }), 413, '200')
    expect(await project.read('a')).toBeNull()
  })
})
