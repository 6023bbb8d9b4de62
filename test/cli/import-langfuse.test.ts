import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'
import { openImportTarget } from './import-command.ts'

const { server, folder, imported: importedFrom, callsOf: queried } = await openImportTarget()

const imported = (place: string, project: string, ...options: string[]) =>
  importedFrom('langfuse', place, project, ...options)

const callsOf = (project: string) => queried<Record<string, Record<string, unknown>>>(project)

/** Two observations as exported events: numbers and JSON as text, empty for null. */
const rows = [
  {
    id: '803590da3ca3f27d',
    traceId: 'fb7996d303e84e33b3bfeea90bdbaa56',
    parentObservationId: 'not-hex',
    type: 'GENERATION',
    name: 'chat',
    startTime: '2026-07-20 13:31:26.122000',
    endTime: '2026-07-20 13:31:44.558000',
    level: 'ERROR',
    statusMessage: 'too long',
    sessionId: 'session-1',
    providedModelName: 'gpt-5-mini',
    modelParameters: '{"temperature":1}',
    usageDetails: '{"input":"380","output":"1186","input_cached_tokens":"1408","total":"2974"}',
    costDetails: '{"total":"0.0025"}',
    input: '{"messages":[{"role":"user","content":"Hello"}]}',
    output: '[{"role":"assistant","content":"Hi"}]',
    metadata:
      '{"attributes.gen_ai.agent.name":"support","scope.name":"pydantic-ai","resourceAttributes.service.name":"shop"}',
  },
  {
    id: 'not-hex',
    traceId: 'fb7996d303e84e33b3bfeea90bdbaa56',
    parentObservationId: '',
    type: 'SPAN',
    name: 'agent',
    startTime: '2026-07-20 13:31:26.000000',
    endTime: '2026-07-20 13:31:45.000000',
    level: 'DEFAULT',
    statusMessage: '',
    sessionId: 'session-1',
    providedModelName: '',
    modelParameters: '{}',
    usageDetails: '{}',
    costDetails: '{}',
    input: 'Hello',
    output: 'Hi',
    metadata: '{"tenant":"a"}',
  },
]

test('the same rows as JSON lines, CSV and Parquet become the same calls', async () => {
  const lines = join(folder, 'rows.jsonl')
  await writeFile(lines, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  for (const format of ['csv', 'parquet']) {
    await connection.run(
      `COPY (SELECT * FROM read_json('${lines}')) TO '${join(folder, `rows.${format}`)}' (FORMAT ${format})`,
    )
  }
  connection.closeSync()
  for (const format of ['jsonl', 'csv', 'parquet']) {
    const { out, code } = await imported(join(folder, `rows.${format}`), `langfuse/${format}`)
    expect(out).toMatch(/spans +2 +2 +0 +2/)
    expect(code).toBe(0)
    const [root, model] = await callsOf(`langfuse/${format}`)
    expect(model).toMatchObject({ id: '803590da3ca3f27d', exception: 'too long', thread_id: 'session-1' })
    expect(model!['parent_id']).toBe(root!['id'])
    expect(model!['started_at'] as unknown).toBe('2026-07-20T13:31:26.122000Z')
    expect(model!['attributes']).toMatchObject({ model: 'gpt-5-mini', agent_name: 'support' })
    expect(model!['summary']!['usage']).toMatchObject({
      'gpt-5-mini': { input_tokens: 380, output_tokens: 1186, cache_read_input_tokens: 1408 },
    })
    expect(root!['inputs']).toEqual({ 'langfuse.observation.input': 'Hello' })
  }
})

test('the API: traces with observations and scores, and datasets, page by page', async () => {
  const traces = Array.from({ length: 60 }, (_, index) => ({
    id: `trace-${index}`,
    name: 'answer',
    timestamp: '2026-07-20T13:31:26.000Z',
    userId: 'ann',
    sessionId: `session-${index}`,
    tags: ['beta'],
    output: 'Hi',
  }))
  let refusals = 3
  const api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (request.headers.get('authorization') !== `Basic ${btoa('pk:sk')}`) return new Response('no', { status: 401 })
      if (refusals-- > 0) return new Response('slow down', { status: 429, headers: { 'retry-after': '0' } })
      const page = Number(searchParams.get('page') ?? 1)
      const listed = (all: unknown[]) => Response.json({ data: all.slice((page - 1) * 50, page * 50) })
      if (pathname === '/api/public/traces') return listed(traces)
      if (pathname === '/api/public/v2/datasets') return listed([{ name: 'my questions', description: null }])
      const path = decodeURIComponent(pathname)
      if (path === '/api/public/dataset-items')
        return listed([{ id: 'i', input: 'a', expectedOutput: 'b', metadata: null }])
      if (path === '/api/public/datasets/my questions/runs') return listed([{ name: 'run 1' }])
      if (path === '/api/public/datasets/my questions/runs/run 1') {
        const item = { id: 'x', datasetItemId: 'i', traceId: 'trace-3', observationId: null }
        return Response.json({ id: 'r', name: 'run 1', createdAt: traces[0]!.timestamp, datasetRunItems: [item] })
      }
      if (path === '/api/public/v2/prompts') return listed([{ name: 'greeting', versions: [2, 1] }])
      if (path === '/api/public/v2/prompts/greeting') {
        const version = Number(searchParams.get('version'))
        const labels = version === 1 ? ['production'] : ['latest']
        return Response.json({
          name: 'greeting',
          version,
          prompt: `Hello ${version}`,
          labels,
          tags: ['a/b'],
          config: {},
        })
      }
      const trace = traces.find(({ id }) => pathname.endsWith(`/${id}`))!
      const span = {
        traceId: trace.id,
        type: 'SPAN',
        name: 'work',
        startTime: trace.timestamp,
        endTime: trace.timestamp,
      }
      const scores = [{ id: `score-${trace.id}`, name: 'quality', value: 0.5, dataType: 'NUMERIC', traceId: trace.id }]
      return Response.json({ ...trace, observations: [{ ...span, id: `${trace.id}-a` }], scores })
    },
  })
  try {
    const { out, code } = await imported(api.url.href, 'langfuse/api', '--source-key', 'pk:sk')
    expect(out).toMatch(/spans +60 +60 +0 +60/)
    expect(out).toMatch(/feedback +61 +61 +0 +61/)
    expect(out).toMatch(/datasets +2 +2 +0/)
    expect(out).toMatch(/prompt versions +2 +2 +0/)
    expect(code).toBe(0)
    const calls = await callsOf('langfuse/api')
    const trial = calls.find(({ op_name }) => String(op_name) === 'Evaluation.predict_and_score')!
    expect(trial['output']).toMatchObject({ output: 'Hi', scores: { quality: { value: 0.5 } } })
    const prompts = await server.client.post('/objs/query', {
      project_id: 'langfuse/api',
      filter: { object_ids: ['greeting'], latest_only: false },
      include_tags_and_aliases: true,
    })
    expect((prompts.json as { objs: unknown[] }).objs).toMatchObject([
      { val: { content: 'Hello 1' }, tags: ['a b'], aliases: ['production'], base_object_class: 'Prompt' },
      { val: { content: 'Hello 2' }, is_latest: 1 },
    ])
    const call = calls.find(({ op_name }) => String(op_name).includes('work'))
    expect(call).toMatchObject({
      thread_id: expect.stringMatching(/^session-/),
      summary: { ext: { feedback: [{ payload: { value: 0.5 } }] } },
    })
    expect((await imported(api.url.href, 'langfuse/api', '--source-key', 'pk:no')).err).toContain('401')
  } finally {
    await api.stop(true)
  }
})

const realFiles = join(process.env['TRACELAKE_TEST_IMPORTS'] ?? '/none', 'langfuse')

test.skipIf(!existsSync(realFiles))('real files: traces of many frameworks', async () => {
  const { out, code } = await imported(realFiles, 'langfuse/real')
  expect(out).toMatch(/spans +138 +138 +0 +138/)
  expect(out).toMatch(/feedback +24 +24 +0 +24/)
  expect(code).toBe(0)
})
