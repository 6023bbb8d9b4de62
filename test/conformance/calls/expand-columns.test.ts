import { describe, expect, test } from 'bun:test'
import { tableFromIPC } from 'apache-arrow'
import { ProjectObjects } from '../support/objects.ts'
import { expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('expand_columns', () => {
  test.each([undefined, null, true, false])('keeps refs to nothing (values: %p)', async (flag) => {
    const project = freshProject(server)
    const inputs = { model: `ext:///${project.id}/object/model:v1`, n: 1 }
    await project.add({ id: 'a', inputs })
    const request = {
      expand_columns: ['inputs.model', 'inputs.model.x', 'output'],
      return_expanded_column_values: flag,
    }
    const [call] = await project.query(request)
    expect(call!.inputs).toEqual(inputs)
  })

  test('is accepted by query_stats', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a' })
    expect((await project.stats({ expand_columns: ['inputs.model'] })).count).toBe(1)
  })

  test.each(['/calls/stream_query', '/calls/query_stats'])('names an unknown column, in %s', async (path) => {
    const { id } = freshProject(server)
    const answer = await server.post(path, { project_id: id, expand_columns: ['input.model'] })
    expectRefusal(answer, 422, 'input.model', 'inputs')
  })

  test('accepts up to 64 columns', async () => {
    const project = freshProject(server)
    const columns = Array.from({ length: 64 }, (_, index) => `inputs.c${index}`)
    expect((await project.ask({ expand_columns: columns })).status).toBe(200)
    expectRefusal(await project.ask({ expand_columns: [...columns, 'output'] }), 400, 'expand_columns', '64')
  })
})

describe('expand_columns with objects', () => {
  const expand_columns = ['inputs.model', 'inputs.model.prompt', 'output']

  async function fill() {
    const project = freshProject(server)
    const objects = new ProjectObjects(server, project.id)
    const ref = (name: string, digest: string) => `ext:///${project.id}/object/${name}:${digest}`
    const prompts = [
      await objects.create('prompt', { text: 'Be brief', n: 1 }),
      await objects.create('prompt', { text: 'Be kind', n: 10 }),
    ]
    const prompt = prompts.map((digest) => ref('prompt', digest))
    const model = [
      ref('model', await objects.create('model', { prompt: prompt[0], size: 5 })),
      ref('model', await objects.create('model', { prompt: prompt[1], size: 7 })),
    ]
    await project.add(
      { id: 'a', inputs: { model: model[0] }, output: prompt[1] },
      { id: 'b', inputs: { model: model[1] }, output: 'text' },
      { id: 'c', inputs: { model: { size: 6, prompt: prompt[0] } }, output: null },
      { id: 'd', inputs: { model: ref('model', 'x'.repeat(43)) } },
      { id: 'e', inputs: { model: 'ext:///other/project/object/m:v0', x: 1 } },
    )
    return { project, objects, prompt, model }
  }

  test('returns the objects behind refs, from shallow to deep', async () => {
    const { project, prompt, model } = await fill()
    const calls = await project.query({ expand_columns })
    expect(calls.map(({ inputs, output }) => [inputs['model'], output])).toEqual([
      [
        { prompt: { text: 'Be brief', n: 1, _ref: prompt[0] }, size: 5, _ref: model[0] },
        { text: 'Be kind', n: 10, _ref: prompt[1] },
      ],
      [{ prompt: { text: 'Be kind', n: 10, _ref: prompt[1] }, size: 7, _ref: model[1] }, 'text'],
      [{ size: 6, prompt: { text: 'Be brief', n: 1, _ref: prompt[0] } }, null],
      [calls[3]!.inputs['model'], calls[3]!.output],
      ['ext:///other/project/object/m:v0', calls[4]!.output],
    ])
    const [plain] = await project.query({ expand_columns, return_expanded_column_values: false })
    expect([plain!.inputs, plain!.output]).toEqual([{ model: model[0] }, prompt[1]])
    const [inner] = await project.query({ expand_columns: ['inputs.model.prompt'] })
    expect(inner!.inputs).toEqual({ model: model[0] })
  })

  const where = (field: string, operator: string, value: unknown) => ({
    $expr: { [operator]: [{ $getField: field }, { $literal: value }] },
  })

  test.each([
    [where('inputs.model.size', '$eq', 5), 'a'],
    [where('inputs.model.size', '$gt', 5), 'b c'],
    [where('inputs.model.prompt.text', '$eq', 'Be brief'), 'a c'],
    [where('inputs.model.prompt.n', '$gt', 1), 'b'],
    [where('output.n', '$eq', 10), 'a'],
    [where('inputs.model.size', '$eq', null), 'd e'],
    [{ $expr: { $not: [where('inputs.model.size', '$eq', 5).$expr] } }, 'b c'],
    [
      {
        $expr: {
          $contains: {
            input: { $getField: 'inputs.model.prompt.text' },
            substr: { $literal: 'KIND' },
            case_insensitive: true,
          },
        },
      },
      'b',
    ],
    [
      { $expr: { $in: [{ $getField: 'inputs.model.prompt.text' }, [{ $literal: 'Be kind' }, { $literal: 'x' }]] } },
      'b',
    ],
    [{ $expr: { $or: [where('inputs.model.size', '$eq', 7).$expr, where('inputs.x', '$eq', 1).$expr] } }, 'b e'],
    [{ $expr: { $gt: [{ $size: { $getField: 'inputs.model.prompt' } }, { $literal: 1 }] } }, 'a b c'],
  ])('%j follows refs, in the stream and in the count', async (query, ids) => {
    const { project } = await fill()
    for (const flag of [true, false]) {
      const found = await project.idsOf({ query, expand_columns, return_expanded_column_values: flag })
      expect(found.join(' ')).toBe(ids)
    }
    expect((await project.stats({ query, expand_columns })).count).toBe(ids.split(' ').length)
  })

  test('refs are strings without the columns', async () => {
    const { project, model } = await fill()
    const query = where('inputs.model.size', '$gt', 0)
    expect(await project.idsOf({ query })).toEqual(['c'])
    expect(await project.idsOf({ query, expand_columns: ['inputs.model.prompt'] })).toEqual(['c'])
    // At the place itself the ref is the value.
    expect(await project.idsOf({ query: where('inputs.model', '$eq', model[0]), expand_columns })).toEqual(['a'])
  })

  test('sorting follows refs too', async () => {
    const { project } = await fill()
    const sorted = (field: string, direction: string) =>
      project.idsOf({
        sort_by: [
          { field, direction },
          { field: 'id', direction: 'asc' },
        ],
        expand_columns,
      })
    expect(await sorted('inputs.model.size', 'desc')).toEqual(['b', 'c', 'a', 'd', 'e'])
    expect(await sorted('inputs.model.prompt.n', 'asc')).toEqual(['d', 'e', 'a', 'c', 'b'])
    expect(await sorted('inputs.model.prompt.text', 'desc')).toEqual(['b', 'a', 'c', 'd', 'e'])
  })

  test('refs to deleted objects and other projects are kept', async () => {
    const { project, objects, model } = await fill()
    await objects.delete('model')
    expect((await project.query({ expand_columns }))[0]!.inputs).toEqual({ model: model[0] })
    expect(await project.idsOf({ query: where('inputs.model.size', '$gt', 0), expand_columns })).toEqual(['c'])
  })

  test('keeps member order and numbers verbatim', async () => {
    const project = freshProject(server)
    const objects = new ProjectObjects(server, project.id)
    const digest = await objects.createText('m', '{"b":1.0,"2":3,"1":4}')
    const ref = `ext:///${project.id}/object/m:${digest}`
    await project.add({ id: 'a', inputs: { m: ref } })
    const { text } = await project.ask({ expand_columns: ['inputs.m'] })
    expect(text).toContain(`"inputs":{"m":{"b":1.0,"2":3,"1":4,"_ref":"${ref}"}}`)
  })

  test('tabular formats contain the objects behind refs', async () => {
    const { project, prompt, model } = await fill()
    const request = {
      columns: ['id', 'inputs.model.size', 'inputs.model.prompt', 'output', 'started_at'],
      expand_columns,
      limit: 2,
    }
    const { text } = await project.ask(request, 'text/csv')
    const rows = text.trimEnd().split('\r\n')
    const brief = JSON.stringify({ text: 'Be brief', n: 1, _ref: prompt[0] }).replaceAll('"', '""')
    expect(rows[0]).toBe('id,inputs.model.size,inputs.model.prompt,output,started_at')
    expect(rows[1]).toStartWith(`a,5,"${brief}","{""text"":""Be kind""`)
    expect(rows[2]).toContain(',text,20')
    const [, first] = (await project.ask({ ...request, return_expanded_column_values: false }, 'text/csv')).text.split(
      '\r\n',
    )
    expect(first).toStartWith(`a,,,${prompt[1]},`)

    const whole = { expand_columns, sort_by: [{ field: 'id', direction: 'asc' }] }
    const arrow = await project.ask(whole, 'application/vnd.apache.arrow.stream')
    const inputs = tableFromIPC(arrow.bytes)
      .toArray()
      .map((row) => JSON.parse(String(row['inputs'])))
    expect(inputs[1]).toEqual({
      model: { prompt: { text: 'Be kind', n: 10, _ref: prompt[1] }, size: 7, _ref: model[1] },
    })
    const parquet = await project.ask(whole, 'application/vnd.apache.parquet')
    expect(parquet.status).toBe(200)
    expect(new TextDecoder().decode(parquet.bytes.slice(0, 4))).toBe('PAR1')
  })

  test('a request that cannot be answered is rejected before the first byte, in every format', async () => {
    const { project } = await fill()
    for (const accept of [
      'application/jsonl',
      'text/csv',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
    ]) {
      expectRefusal(await project.ask({ query: where('no_such', '$eq', 1), expand_columns }, accept), 422, 'no_such')
      expectRefusal(await project.ask({ expand_columns: ['inptus.x'] }, accept), 422, 'inputs')
    }
  })

  test('a thousand calls, in order', async () => {
    const { project, model } = await fill()
    const drafts = Array.from({ length: 1000 }, (_, n) => ({
      id: `n${String(n).padStart(4, '0')}`,
      inputs: { model: model[n % 2], n },
    }))
    await project.add(...drafts)
    const calls = await project.query({ expand_columns, sort_by: [{ field: 'id', direction: 'asc' }] })
    expect(calls.slice(5).map(({ inputs }) => [inputs['n'], (inputs['model'] as { size: number }).size])).toEqual(
      drafts.map((_, n) => [n, n % 2 === 0 ? 5 : 7]),
    )
  })

  test('64 concurrent expanding streams complete, in every format and with conditions that follow refs', async () => {
    const { project } = await fill()
    const formats = [
      'application/jsonl',
      'text/csv',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
    ]
    const questions = [
      { expand_columns },
      { expand_columns, include_costs: true },
      { expand_columns, query: where('inputs.model.size', '$gt', 0) },
      { expand_columns, sort_by: [{ field: 'inputs.model.size', direction: 'asc' as const }], include_feedback: true },
    ]
    const asked = Array.from({ length: 64 }, (_, n) => [questions[n % 4]!, formats[(n >> 2) % 4]!] as const)
    const answers = await Promise.all(asked.map(([question, format]) => project.ask(question, format)))
    expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200))
  })
})
