import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openImportTarget } from './import-command.ts'

const fixtures = join(import.meta.dir, '../import-sources/fixtures')
const { server, folder, importing, imported, callsOf: queried } = await openImportTarget()

/** The numbers in the line of a kind of record: in the source, sent, refused, on the server. */
const countsOf = (out: string, what: string): number[] =>
  (new RegExp(`^${what} +([\\d, ]+)$`, 'm').exec(out)?.[1] ?? '')
    .trim()
    .split(/ +/)
    .map((text) => Number(text.replaceAll(',', '')))

interface Call {
  id: string
  parent_id: string | null
  trace_id: string
  op_name: string
  thread_id: string | null
  turn_id: string | null
  exception: string | null
  inputs: Record<string, unknown>
  output: unknown
  attributes: Record<string, unknown>
  summary: { usage?: Record<string, Record<string, number>>; ext?: Record<string, unknown> }
}

const callsOf = (project: string) => queried<Call>(project)

/** Checks that exactly the ancestors of failed calls name one of these. */
function expectErrorsInside(calls: readonly Call[]): void {
  const failuresInside = new Map<string, string[]>()
  for (const { id, exception, parent_id } of calls) {
    if (exception === null) continue
    let above = calls.find((call) => call.id === parent_id)
    while (above !== undefined) {
      failuresInside.set(above.id, [...(failuresInside.get(above.id) ?? []), id])
      const { parent_id: next }: Call = above
      above = calls.find((call) => call.id === next)
    }
  }
  expect(failuresInside.size).toBeGreaterThan(0)
  for (const { id, exception, summary } of calls) {
    const cause = summary.ext?.['error_inside'] as { call_id: string } | undefined
    const failures = failuresInside.get(id)
    if (failures === undefined) expect(cause).toBeUndefined()
    else expect(failures).toContain(cause!.call_id)
    if (failures !== undefined && exception === null) expect(summary.ext!['status']).toBe('descendant_error')
  }
}

/** A SQLite file with the tables and rows of a fixture. */
async function databaseOf(name: string): Promise<string> {
  const file = join(folder, `${name}.db`)
  await rm(file, { force: true })
  const database = new Database(file)
  database.exec(await readFile(join(fixtures, `${name}.sql`), 'utf8'))
  database.close()
  return file
}

const span = (index: number, attributes: Record<string, string> = {}) => ({
  traceId: String(Math.floor(index / 10) + 1).padStart(32, '0'),
  spanId: String(index + 1).padStart(16, '0'),
  name: 'chat',
  startTimeUnixNano: `${1_770_000_000_000 + index}000000`,
  endTimeUnixNano: `${1_770_000_000_005 + index}000000`,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
})

const exportOf = (spans: unknown[], resource: Record<string, string> = {}) => ({
  resourceSpans: [
    {
      resource: {
        attributes: Object.entries(resource).map(([key, value]) => ({ key, value: { stringValue: value } })),
      },
      scopeSpans: [{ scope: { name: 'test' }, spans }],
    },
  ],
})

describe('claude-code', () => {
  const place = join(fixtures, 'claude-code')

  test('a session is a tree of turn, model calls, tools and a subagent, with usage', async () => {
    const { out, code } = await imported('claude-code', place, 'import/claude')
    expect(out).toContain('Complete.')
    expect(code).toBe(0)
    expect(countsOf(out, 'calls')).toEqual([10, 10, 0, 10])
    const calls = await callsOf('import/claude')
    const turn = calls.find(({ parent_id }) => parent_id === null)!
    expect(turn).toMatchObject({
      op_name: 'claude_code.interaction',
      inputs: { prompt: 'use a subagent to list files' },
    })
    expect(turn.output).toBe('There are two files.')
    expect(new Set(calls.map(({ trace_id }) => trace_id)).size).toBe(1)
    expect(new Set(calls.map(({ turn_id }) => turn_id))).toEqual(new Set([turn.id]))
    const agentTool = calls.find(({ id }) => id === 'toolu_t1')!
    expect(agentTool.parent_id).toBe(turn.id)
    const agent = calls.find(({ op_name }) => op_name === 'claude_code.subagent')!
    expect(agent.parent_id).toBe(agentTool.id)
    expect(calls.find(({ id }) => id === 'toolu_2')).toMatchObject({ parent_id: agent.id, output: 'a\nb' })
    const models = calls.filter(({ op_name }) => op_name === 'claude_code.llm_request')
    expect(models).toHaveLength(5)
    expect(models[0]!.summary.usage).toEqual({
      'claude-opus-4-8': {
        input_tokens: 12,
        output_tokens: 23,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 50,
      },
    })
    expect(models[0]!.attributes['import']).toMatchObject({ source: 'claude-code', version: '2.1.197' })
  })

  test('a second import adds nothing, and one after the session has grown adds only what is new', async () => {
    const copy = join(folder, 'growing')
    await cp(place, copy, { recursive: true })
    await imported('claude-code', copy, 'import/growing')
    expect((await imported('claude-code', copy, 'import/growing')).out).toContain('10 before, 10 after')
    const session = 'a648dc3e-1901-4110-b244-47e66e2abf56'
    const prompt = {
      type: 'user',
      uuid: '00000000-0000-4000-8000-000000000001',
      parentUuid: null,
      sessionId: session,
      timestamp: '2026-11-23T01:00:00.000Z',
      message: { role: 'user', content: 'Thank you' },
    }
    await appendFile(join(copy, '-home-ann-project', `${session}.jsonl`), `${JSON.stringify(prompt)}\nnot JSON\n`)
    const { out } = await imported('claude-code', copy, 'import/growing')
    expect(out).toContain('10 before, 11 after')
    expect(out).toContain('1 lines that are not JSON')
  })
})

test('codex: a session is a turn with model calls and a tool, with usage', async () => {
  const { out, code } = await imported('codex', join(fixtures, 'codex'), 'import/codex')
  expect(countsOf(out, 'calls')).toEqual([4, 4, 0, 4])
  expect(code).toBe(0)
  const calls = await callsOf('import/codex')
  const turn = calls.find(({ parent_id }) => parent_id === null)!
  expect(turn).toMatchObject({ inputs: { prompt: 'list the files' }, output: 'There are two files.' })
  expect(turn.thread_id).toBe('01a205fe-bd54-7721-b292-beb6da2d0f6b')
  const tool = calls.find(({ op_name }) => op_name === 'codex.tool')!
  expect(tool).toMatchObject({ parent_id: turn.id, inputs: { cmd: 'ls' }, attributes: { tool_name: 'exec_command' } })
  const [first, second] = calls.filter(({ op_name }) => op_name === 'codex.llm_request')
  // The output of the tool belongs to the second call, though it precedes the tokens of the first.
  expect(JSON.stringify(first!.inputs)).not.toContain('function_call_output')
  expect(JSON.stringify(second!.inputs)).toContain('function_call_output')
  expect(first!.summary.usage).toEqual({
    'gpt-5.4': {
      input_tokens: 120,
      output_tokens: 20,
      total_tokens: 140,
      cache_read_input_tokens: 50,
      reasoning_tokens: 5,
      gross_input_tokens: 120,
    },
  })
})

describe('otlp', () => {
  test('files of every form become the same calls, in the chosen project', async () => {
    const place = join(folder, 'otlp')
    await mkdir(place)
    const request = exportOf([span(0), span(1, { 'gen_ai.request.model': 'gpt-4o' })], {
      'ext.entity': 'someone',
      'ext.project': 'else',
    })
    const line = JSON.stringify(request)
    const second = JSON.stringify(exportOf([span(2)]))
    await writeFile(join(place, 'lines.jsonl'), `${line}\n${second}\n`)
    await writeFile(join(place, 'document.json'), JSON.stringify(request, undefined, 2))
    await writeFile(join(place, 'lines.jsonl.gz'), gzipSync(`${line}\n`))
    await writeFile(join(place, 'lines.jsonl.zst'), zstdCompressSync(`${line}\n`))
    const message = zstdCompressSync(line)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(message.length)
    await writeFile(join(place, 'messages.bin'), Buffer.concat([length, message]))
    const { out, code } = await imported('otlp', place, 'import/otlp')
    expect(out).toContain('0 before, 3 after')
    expect(code).toBe(0)
    const calls = await callsOf('import/otlp')
    expect(calls[1]!.attributes).toMatchObject({ model: 'gpt-4o', import: { source: 'otlp', file: 'messages.bin' } })
    // A span without any convention still shows its attributes.
    expect(calls[0]!.attributes).toHaveProperty('import.source', 'otlp')
  })

  test('protobuf is passed on byte by byte, in either framing', async () => {
    const key = (name: string, value: string) => field(1, name) + field(2, field(1, value))
    const bytes = field(
      1,
      field(1, field(1, key('service.name', 'shop'))) +
        field(
          2,
          field(1, field(1, 'lib')) +
            field(
              2,
              field(1, `${'\0'.repeat(15)}\x07`) +
                field(2, `${'\0'.repeat(7)}\x09`) +
                field(5, 'pay') +
                fixed(7) +
                fixed(8),
            ),
        ),
    )
    const message = Buffer.from(bytes, 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(message.length)
    await writeFile(join(folder, 'four.pb'), Buffer.concat([length, message]))
    await writeFile(join(folder, 'varint.pb'), Buffer.concat([Buffer.from([message.length]), message]))
    for (const name of ['four', 'varint']) {
      const { out } = await imported('otlp', join(folder, `${name}.pb`), `import/${name}`)
      expect(countsOf(out, 'spans')).toEqual([1, 1, 0, 1])
      const [call] = await callsOf(`import/${name}`)
      expect(call).toMatchObject({ id: '0000000000000009', attributes: { import: { file: `${name}.pb` } } })
    }
  })

  test('a dry run counts and sends nothing', async () => {
    await writeFile(join(folder, 'dry.jsonl'), `${JSON.stringify(exportOf([span(0)]))}\n{"a":1}\n`)
    const { out, code } = await imported('otlp', join(folder, 'dry.jsonl'), 'import/dry', '--dry-run')
    expect(out).toMatch(/spans +1\n/)
    expect(out).toContain('1 values that are not exports')
    expect(code).toBe(0)
    expect(await callsOf('import/dry')).toEqual([])
  })

  test('a span that the server rejects is counted, and the exit code is 1', async () => {
    const file = join(folder, 'broken.jsonl')
    await writeFile(file, JSON.stringify(exportOf([span(0), { ...span(1), traceId: 'abc' }])))
    const { out, code } = await imported('otlp', file, 'import/broken')
    expect(countsOf(out, 'spans')).toEqual([2, 1, 1, 1])
    expect(out).toContain('Incomplete')
    expect(code).toBe(1)
  })

  test('an import that was killed continues, and every span is stored once', async () => {
    const file = join(folder, 'large.jsonl')
    const lines = Array.from({ length: 300 }, (_, line) =>
      JSON.stringify(exportOf(Array.from({ length: 50 }, (_, index) => span(line * 50 + index)))),
    )
    await writeFile(file, `${lines.join('\n')}\n`)
    const child = importing('otlp', file, 'import/killed')
    while ((await callsOf('import/killed')).length === 0) await Bun.sleep(20)
    await child.kill()
    const { out, code } = await imported('otlp', file, 'import/killed')
    expect(countsOf(out, 'spans')).toEqual([15_000, 15_000, 0, 15_000])
    expect(code).toBe(0)
    const stats = await server.client.post('/calls/query_stats', { project_id: 'import/killed' })
    expect(stats.json).toMatchObject({ count: 15_000 })
  })
})

test('jaeger: references, tags, logs and processes become a span', async () => {
  const file = join(folder, 'jaeger.json')
  const trace = {
    traceID: 'abc',
    processes: { p1: { serviceName: 'shop', tags: [{ key: 'host', type: 'string', value: 'a' }] } },
    spans: [
      {
        traceID: 'abc',
        spanID: '1',
        operationName: 'root',
        processID: 'p1',
        startTime: 1_770_000_000_000_000,
        duration: 5,
      },
      {
        traceID: 'abc',
        spanID: '2',
        operationName: 'child',
        processID: 'p1',
        references: [{ refType: 'CHILD_OF', traceID: 'abc', spanID: '1' }],
        startTime: 1_770_000_000_000_001,
        duration: 2,
        tags: [
          { key: 'gen_ai.request.model', type: 'string', value: 'gpt-4o' },
          { key: 'otel.status_code', type: 'string', value: 'ERROR' },
          { key: 'otel.status_description', type: 'string', value: 'broken' },
        ],
        logs: [{ timestamp: 1_770_000_000_000_002, fields: [{ key: 'event', type: 'string', value: 'retry' }] }],
      },
    ],
  }
  await writeFile(file, JSON.stringify({ data: [trace], total: 0, errors: null }, undefined, 1))
  const { out } = await imported('jaeger', file, 'import/jaeger')
  expect(countsOf(out, 'spans')).toEqual([2, 2, 0, 2])
  const [root, child] = await callsOf('import/jaeger')
  expect(child).toMatchObject({ parent_id: root!.id, exception: 'broken', attributes: { model: 'gpt-4o' } })
  expect(root!.summary.ext).toMatchObject({
    status: 'descendant_error',
    error_inside: { call_id: child!.id, error: 'broken', depth: 1 },
  })
})

test('phoenix: spans, annotations and datasets of a SQLite file', async () => {
  const { out, code } = await imported('phoenix', await databaseOf('phoenix'), 'import/phoenix')
  expect(code).toBe(0)
  expect(countsOf(out, 'spans').at(-1)).toBe(countsOf(out, 'spans')[0]!)
  expect(countsOf(out, 'feedback')[0]).toBeGreaterThan(0)
  // Two versions, the first of them once more with the experiment.
  expect(countsOf(out, 'datasets')).toEqual([3, 3, 0])
  const calls = await callsOf('import/phoenix')
  const model = calls.find(({ op_name }) => op_name.includes('ask-model'))!
  expect(model).toMatchObject({ thread_id: 'session-0', attributes: { model: 'gpt-4o-mini', kind: 'llm' } })
  expect(model.summary.usage).toMatchObject({ 'gpt-4o-mini': { prompt_tokens: 120, completion_tokens: 30 } })
  expect(calls.some(({ exception }) => exception === 'The order does not exist')).toBe(true)
  expectErrorsInside(calls)
  const again = await imported('phoenix', join(folder, 'phoenix.db'), 'import/phoenix')
  expect(again.out).toContain(`${calls.length} before, ${calls.length} after`)
})

test('phoenix: an experiment becomes an evaluation, versions of a prompt become versions of an object', async () => {
  const { out } = await imported('phoenix', await databaseOf('phoenix'), 'import/experiments')
  expect(countsOf(out, 'prompt versions')).toEqual([2, 2, 0])
  const calls = await callsOf('import/experiments')
  const run = calls.find(({ op_name }) => op_name === 'Evaluation.evaluate')!
  expect(run).toMatchObject({ output: { exact: { mean: 0.5 } }, attributes: { metadata: { model: 'gpt-4o-mini' } } })
  const { json } = await server.client.post('/v2/import/experiments/eval_results/query', {
    evaluation_call_ids: [run.id],
    include_raw_data_rows: true,
    resolve_row_refs: true,
  })
  const { rows } = json as { rows: { raw_data_row: unknown; evaluations: { trials: Record<string, unknown>[] }[] }[] }
  // The example that was added afterwards is not part of it.
  expect(rows).toHaveLength(3)
  const trials = rows.map((row) => ({ row: row.raw_data_row, ...row.evaluations[0]!.trials[0] }))
  const root = calls.find(({ inputs }) => JSON.stringify(inputs).includes('Where is order 0?'))!
  expect(trials).toContainEqual(
    expect.objectContaining({
      row: {
        input: { question: 'Where is order 0?' },
        output: { answer: 'It arrives tomorrow.' },
        metadata: { number: 0 },
      },
      model_output: 'It arrives tomorrow.',
      scores: { exact: { score: 1, label: 'right', explanation: 'Equal' } },
      genai_span_ref: [{ trace_id: root.trace_id, span_id: root.id }],
    }),
  )
  const failed = calls.find(({ op_name, exception }) => op_name.endsWith('.predict') && exception !== null)!
  expect(failed.exception).toBe('The model is overloaded')
  const objects = await server.client.post('/objs/query', {
    project_id: 'import/experiments',
    filter: { object_ids: ['ask-order'], latest_only: false },
    include_tags_and_aliases: true,
  })
  const { objs } = objects.json as { objs: Record<string, unknown>[] }
  expect(objs).toMatchObject([
    {
      base_object_class: 'Prompt',
      val: { messages: [{ role: 'user' }], model_name: 'gpt-4o-mini' },
      aliases: ['production'],
    },
    { is_latest: 1 },
  ])
})

test('mlflow: spans with session and user, and assessments of a SQLite file', async () => {
  const { out, code } = await imported('mlflow', await databaseOf('mlflow'), 'import/mlflow')
  expect(code).toBe(0)
  expect(countsOf(out, 'spans')).toEqual([6, 6, 0, 6])
  expect(countsOf(out, 'feedback')).toEqual([4, 4, 0, 4])
  const calls = await callsOf('import/mlflow')
  const model = calls.find(({ op_name }) => op_name.includes('ask_model'))!
  expect(model).toMatchObject({ thread_id: 'session-0', attributes: { model: 'gpt-4o-mini', kind: 'chat_model' } })
  expect(model.summary.usage).toMatchObject({ 'gpt-4o-mini': { input_tokens: 120, output_tokens: 30 } })
})

test('a file of another program, a missing file and a wrong key are clear errors', async () => {
  const file = join(folder, 'other.db')
  new Database(file).exec('CREATE TABLE things (id INTEGER)')
  expect((await imported('phoenix', file, 'import/errors')).err).toContain('has no table "projects"')
  expect((await imported('otlp', join(folder, 'none.jsonl'), 'import/errors')).err).toContain('none.jsonl')
  const wrong = await imported('otlp', file, 'import/errors', '--key', 'a'.repeat(40))
  expect(wrong.err).toContain('401')
  expect(wrong.code).toBe(1)
})

const realFiles = process.env['TRACELAKE_TEST_IMPORTS'] ?? ''

test.skipIf(!existsSync(join(realFiles, 'otlp')))('real files: examples of the OTLP specification', async () => {
  const { out } = await imported('otlp', join(realFiles, 'otlp', 'trace.json'), 'import/real-otlp')
  expect(countsOf(out, 'spans')).toEqual([1, 1, 0, 1])
})

/** A length-delimited field of protobuf, as Latin-1 text. */
function field(number: number, content: string): string {
  const header: number[] = [(number << 3) | 2]
  let length = content.length
  for (; length > 127; length >>= 7) header.push((length & 127) | 128)
  return String.fromCharCode(...header, length) + content
}

/** A time of eight bytes. */
const fixed = (number: number): string => String.fromCharCode((number << 3) | 1, 0, 0, 1, 0, 0, 0, 144, 24)

describe('a file that is cut off is named, with what is wrong with it', () => {
  const document = Buffer.from(JSON.stringify(exportOf(Array.from({ length: 50 }, (_, index) => span(index))), null, 1))
  const cut = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.byteLength / 2))
  const cases: readonly (readonly [source: string, name: string, bytes: () => Promise<Uint8Array>])[] = [
    ['otlp', 'cut.json', async () => cut(document)],
    ['otlp', 'cut.json.gz', async () => cut(gzipSync(document))],
    ['otlp', 'cut.json.zst', async () => cut(zstdCompressSync(document))],
    ['langfuse', 'cut-trace.json', async () => cut(document)],
    ['jaeger', 'cut-jaeger.json', async () => cut(document)],
    ['phoenix', 'cut.db', async () => cut(await readFile(await databaseOf('phoenix')))],
    ['inspect', 'cut.eval', async () => cut(await readFile(join(fixtures, 'inspect/orders.eval')))],
  ]
  test.each(cases)(
    '%s: %s',
    async (source, name, bytes) => {
      const place = join(folder, `cut-${name}`)
      await mkdir(place)
      await writeFile(join(place, name), await bytes())
      const { code, err } = await imported(source, place, 'acme/cut', ...(source === 'jaeger' ? ['--dry-run'] : []))
      expect(code).toBe(1)
      expect(err).toContain(`error: Cannot read "${name}": `)
    },
    120_000,
  )
})
