import { beforeAll, describe, expect, test } from 'bun:test'
import type { CallRecord } from '../support/call-shapes.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const project = freshProject(server)
const empty = freshProject(server)

beforeAll(async () => {
  await project.add({ id: 'a', inputs: { text: 'two\nlines' } }, { id: 'b', output: [1, { x: null }] })
})

describe('JSON Lines', () => {
  test('is the default: one object per line, each ending in a newline', async () => {
    const answer = await project.ask({}, 'application/jsonl')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toStartWith('application/jsonl')
    expect(answer.text).toEndWith('\n')
    const lines = answer.text.slice(0, -1).split('\n')
    expect(lines.map((line) => (JSON.parse(line) as CallRecord).id)).toEqual(['a', 'b'])
  })

  test.each(['*/*', 'application/x-ndjson', 'APPLICATION/JSONL', 'application/jsonl; charset=utf-8'])(
    'is returned for %s',
    async (accept) => {
      const answer = await project.ask({}, accept)
      expect(answer.status).toBe(200)
      expect(answer.text).toBe((await project.ask()).text)
    },
  )

  test('of no calls is an empty body', async () => {
    const answer = await empty.ask()
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
  })
})

describe('JSON', () => {
  test('is one object with the calls of the lines', async () => {
    const answer = await project.ask<{ calls: CallRecord[] }>({}, 'application/json')
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(answer.json).toEqual({ calls: await project.query() })
  })

  test('of no calls has an empty list', async () => {
    expect((await empty.ask({}, 'application/json')).json).toEqual({ calls: [] })
  })
})

describe('accept', () => {
  test('may list several types, of which a supported one is chosen', async () => {
    const answer = await project.ask({}, 'text/html, application/json')
    expect(answer.headers.get('content-type')).toStartWith('application/json')
  })

  test.each(['text/html', 'application/xml', 'image/png'])(
    '%s is rejected, with a list of supported types',
    async (accept) => {
      const answer = await project.ask({}, accept)
      expectRefusal(answer, 406)
      const types = [
        'application/jsonl',
        'application/json',
        'text/csv',
        'text/tab-separated-values',
        'application/vnd.apache.arrow.stream',
        'application/vnd.apache.parquet',
      ]
      for (const type of types) expect(answer.text).toContain(type)
    },
  )

  test('an invalid request is rejected in JSON, whatever it accepts', async () => {
    const answer = await project.ask({ limit: -1 }, 'text/csv')
    expectRefusal(answer, 400)
    expect(answer.headers.get('content-type')).toStartWith('application/json')
  })
})
