import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { startStubModel } from '../../../scripts/stub-model/server.ts'
import { ownServer } from '../support/target.ts'
import { otherOperations } from './other-operations.ts'
import { specifiedOperations } from './specified-operations.ts'
import { neutral, vendor, Walk } from './walk.ts'

const stub = startStubModel({ port: 0, answers: {} })
afterAll(() => stub.stop())
const providers = { OPENAI_API_KEY: 'stub', TRACELAKE_OPENAI_BASE_URL: stub.url }
const servers = {
  ext: await ownServer({ env: providers }),
  weave: await ownServer({ env: { ...providers, TRACELAKE_DIALECT: 'weave' } }),
}
const entity = 'acme'
const project = 'walk'
const project_id = `${entity}/${project}`
const startedAt = '2026-01-01T00:00:00Z'
const endedAt = '2026-01-01T00:00:01Z'
const everything = { start: '2025-12-31T00:00:00Z', end: '2026-01-02T00:00:00Z' }
const aroundNow = {
  start: new Date(Date.now() - 3_600_000).toISOString(),
  end: new Date(Date.now() + 3_600_000).toISOString(),
}
const callRef = (id: string) => `ext:///${project_id}/call/${id}`

const start = (id: string, more: object = {}) => ({
  project_id,
  id,
  trace_id: 'trace',
  op_name: 'answer',
  started_at: startedAt,
  attributes: {},
  inputs: { question: 'why?' },
  ...more,
})
const end = (id: string) => ({
  project_id,
  id,
  ended_at: endedAt,
  output: 'because',
  summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } } },
})

/** The operations, ordered so that each finds the records it needs. */
describe.each(['ext', 'weave'] as const)(
  'every operation of the specification is implemented, dialect %s',
  (dialect) => {
    const { client } = servers[dialect]
    const walk = new Walk({
      address: client.address,
      key: client.key,
      project: { entity, project },
      spelling: dialect === 'ext' ? neutral : vendor,
    })

    test('calls', async () => {
      const { json } = await walk.send('POST /call/start', {
        body: { start: start('root', { thread_id: 'thread', turn_id: 'root' }) },
      })
      expect(json).toEqual({ id: 'root', trace_id: 'trace' })
      await walk.send('POST /call/end', { body: { end: end('root') } })
      const batch = [
        { mode: 'start', req: { start: start('child', { parent_id: 'root' }) } },
        { mode: 'end', req: { end: end('child') } },
        { mode: 'start', req: { start: start('useless') } },
      ]
      await walk.send('POST /call/upsert_batch', { body: { batch } })
      await walk.send('POST /call/update', { body: { project_id, call_id: 'root', display_name: 'first' } })
      const read = await walk.send<{ call: object }>('POST /call/read', { body: { project_id, id: 'root' } })
      expect(read.json.call).toMatchObject({ display_name: 'first', output: 'because', inputs: { question: 'why?' } })
      const deleted = await walk.send('POST /calls/delete', { body: { project_id, call_ids: ['useless'] } })
      expect(deleted.json).toEqual({ num_deleted: 1 })
      const stream = await walk.send('POST /calls/stream_query', {
        body: { project_id, sort_by: [{ field: 'id', direction: 'asc' }] },
      })
      expect(stream.lines.map(({ id }) => id)).toEqual(['child', 'root'])
      expect((await walk.send('POST /calls/query_stats', { body: { project_id } })).json).toMatchObject({ count: 2 })
      const stats = await walk.send<{ call_buckets: { count_latency_ms?: number }[] }>('POST /calls/stats', {
        body: {
          project_id,
          ...everything,
          granularity: 86_400,
          call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
        },
      })
      expect(JSON.stringify(stats.json.call_buckets)).toContain(':2')
      // Both calls state the same usage, which counts once.
      const usage = { 'gpt-4o': { requests: 1, total_tokens: 5 } }
      expect((await walk.send('POST /calls/usage', { body: { project_id, call_ids: ['root'] } })).json).toMatchObject({
        call_usage: { root: usage },
      })
      expect((await walk.send('POST /trace/usage', { body: { project_id } })).json).toMatchObject({
        call_usage: { root: usage },
      })
      const tree = await walk.send('POST /trace/read', { body: { project_id, trace_id: 'trace' } })
      expect(tree.json).toMatchObject({ call_ids: ['root', 'child'], parent: [-1, 0], models: ['gpt-4o'] })
      const ofRoot = { project_id, call_id: 'root' }
      const value = await walk.send('POST /call/value', { body: { ...ofRoot, path: 'inputs.question' } })
      expect(value.json).toMatchObject({ type: 'string', text: '"why?"' })
      const sizes = await walk.send('POST /call/sizes', { body: ofRoot })
      expect(sizes.json).toMatchObject({ sizes: { output: '"because"'.length } })
      expect((await walk.send('POST /call/messages', { body: ofRoot })).json).toMatchObject({ messages: [] })
      const threads = await walk.send('POST /threads/stream_query', { body: { project_id } })
      expect(threads.lines).toMatchObject([{ thread_id: 'thread', turn_count: 1 }])
    })

    test('costs', async () => {
      const costs = { 'gpt-4o': { prompt_token_cost: 1, completion_token_cost: 2 } }
      const { json } = await walk.send<{ ids: [string, string][] }>('POST /cost/create', {
        body: { project_id, costs },
      })
      const [[id]] = json.ids as [[string, string]]
      const query = await walk.send('POST /cost/query', { body: { project_id } })
      expect(query.json).toMatchObject({ results: [{ id, llm_id: 'gpt-4o', prompt_token_cost: 1 }] })
      await walk.send('POST /cost/purge', {
        body: { project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } } },
      })
      expect((await walk.send('POST /cost/query', { body: { project_id } })).json).toEqual({ results: [] })
    })

    test('feedback', async () => {
      const note = { project_id, ext_ref: callRef('root'), feedback_type: 'custom', payload: { score: 3 } }
      const { json } = await walk.send<{ id: string }>('POST /feedback/create', { body: note })
      const batch = await walk.send<{ res: { id: string }[] }>('POST /feedback/batch/create', {
        body: { batch: [note, note] },
      })
      expect(batch.json.res).toHaveLength(2)
      const range = { project_id, ...aroundNow, feedback_type: 'custom' }
      expect((await walk.send('POST /feedback/payload_schema', { body: range })).text).toContain('score')
      const metrics = [{ json_path: 'score', value_type: 'numeric', aggregations: ['avg'] }]
      expect((await walk.send('POST /feedback/stats', { body: { ...range, metrics } })).text).toContain('3')
      const replaced = { ...note, payload: { score: 5 }, feedback_id: json.id }
      const { id } = (await walk.send<{ id: string }>('POST /feedback/replace', { body: replaced })).json
      await walk.send('POST /feedback/purge', {
        body: { project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } } },
      })
      const left = await walk.send<{ result: object[] }>('POST /feedback/query', { body: { project_id } })
      expect(left.json.result).toHaveLength(2)
    })

    test('administration', async () => {
      const created = await walk.send<{ id: string }>('POST /keys/create', { body: { name: 'walk', role: 'read' } })
      const { id } = created.json
      expect((await walk.send('POST /keys/query', { body: {} })).text).toContain(id)
      expect((await walk.send('POST /keys/revoke', { body: { id } })).json).toMatchObject({ id, name: 'walk' })
      const secret = { name: 'WALK_KEY', value: 'hidden' }
      expect((await walk.send('POST /secrets/set', { body: secret })).json).toMatchObject({ name: 'WALK_KEY' })
      expect((await walk.send('POST /secrets/query', { body: {} })).text).toContain('WALK_KEY')
      expect((await walk.send('POST /secrets/remove', { body: { name: 'WALK_KEY' } })).json).toEqual({})
      expect((await walk.send('POST /service/settings', { body: {} })).text).toContain('TRACELAKE_PORT')
      const storage = await walk.send<{ projects: object[] }>('POST /service/storage', { body: {} })
      expect(storage.json.projects).toContainEqual(expect.objectContaining({ project_id }))
      expect((await walk.send('POST /jobs/query', { body: {} })).json).toMatchObject({ has_more: false })
      const policy = { project_id, retention_days: 30_000 }
      expect((await walk.send('POST /retention/set', { body: policy })).json).toMatchObject(policy)
      expect((await walk.send('POST /retention/read', { body: { project_id } })).json).toMatchObject(policy)
      const erased = await walk.send('POST /projects/erase', { body: { project_id: 'acme/never' } })
      expect(erased.json).toMatchObject({ project_id: 'acme/never', error: null })
      const list = await walk.send<{ erasures: object[] }>('POST /erasures/query', { body: {} })
      expect(list.json.erasures).toHaveLength(1)
      expect((await walk.send('POST /audit/query', { body: { limit: 1 } })).text).toContain('"entries"')
    })

    test('files', async () => {
      const form = new FormData()
      form.set('project_id', project_id)
      form.set('file', new Blob(['hello']), 'a.txt')
      const { digest } = (await walk.send<{ digest: string }>('POST /file/create', { form })).json
      expect(digest).toBe('LPJNulXwow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ')
      expect((await walk.send('POST /file/content', { body: { project_id, digest } })).text).toBe('hello')
      expect((await walk.send('GET /files/{entity}/{project}/{digest}', { path: { digest } })).text).toBe('hello')
      expect((await walk.send('POST /files/query_stats', { body: { project_id } })).json).toEqual({
        total_size_bytes: 5,
      })
    })

    test('objects, tags, aliases and refs', async () => {
      const obj = { project_id, object_id: 'thing', val: { a: [1, 2] } }
      const { digest } = (await walk.send<{ digest: string }>('POST /obj/create', { body: { obj } })).json
      const version = { object_id: 'thing', digest }
      await walk.send('PUT /objs/{object_id}/versions/{digest}/tags', {
        path: version,
        body: { project_id, tags: ['good'] },
      })
      await walk.send('PUT /objs/{object_id}/aliases', {
        path: version,
        body: { project_id, digest, aliases: ['prod'] },
      })
      expect((await walk.send('GET /tags', { query: { project_id } })).json).toEqual({ tags: ['good'] })
      expect(
        (await walk.send<{ aliases: string[] }>('GET /aliases', { query: { project_id } })).json.aliases,
      ).toContain('prod')
      const read = await walk.send('POST /obj/read', {
        body: { project_id, object_id: 'thing', digest: 'prod', include_tags_and_aliases: true },
      })
      expect(read.json).toMatchObject({
        obj: { digest, val: { a: [1, 2] }, tags: ['good'], version_index: 0, is_latest: 1 },
      })
      const query = await walk.send<{ objs: object[] }>('POST /objs/query', {
        body: { project_id, filter: { object_ids: ['thing'] } },
      })
      expect(query.json.objs).toMatchObject([{ object_id: 'thing', digest }])
      const refs = [`ext:///${project_id}/object/thing:${digest}/key/a/index/1`]
      expect((await walk.send('POST /refs/read_batch', { body: { refs } })).json).toEqual({ vals: [2] })
      await walk.send('POST /objs/{object_id}/versions/{digest}/tags/remove', {
        path: version,
        body: { project_id, tags: ['good'] },
      })
      await walk.send('POST /objs/{object_id}/aliases/remove', {
        path: version,
        body: { project_id, aliases: ['prod'] },
      })
      expect((await walk.send('GET /tags', { query: { project_id } })).json).toEqual({ tags: [] })
      expect((await walk.send('POST /obj/delete', { body: { project_id, object_id: 'thing' } })).json).toMatchObject({
        num_deleted: 1,
      })
    })

    test('tables', async () => {
      const rows = [{ a: 1 }, { a: 2 }]
      const created = await walk.send<{ digest: string; row_digests: string[] }>('POST /table/create', {
        body: { table: { project_id, rows } },
      })
      const { digest, row_digests } = created.json
      expect(digest).toBe('1c95cdc46a75d6e7e971986a80adfcd676dd22f2222a3405c7743f3db8df6785')
      const again = await walk.send('POST /table/create_from_digests', { body: { project_id, row_digests } })
      expect(again.json).toEqual({ digest })
      const update = { project_id, base_digest: digest, updates: [{ append: { row: { a: 3 } } }] }
      const longer = (await walk.send<{ digest: string }>('POST /table/update', { body: update })).json.digest
      expect(
        (await walk.send<{ rows: object[] }>('POST /table/query', { body: { project_id, digest } })).json.rows,
      ).toMatchObject([
        { val: { a: 1 }, original_index: 0 },
        { val: { a: 2 }, original_index: 1 },
      ])
      expect(
        (await walk.send('POST /table/query_stream', { body: { project_id, digest: longer } })).lines,
      ).toHaveLength(3)
      expect((await walk.send('POST /table/query_stats', { body: { project_id, digest: longer } })).json).toEqual({
        count: 3,
      })
      const batch = await walk.send<{ tables: object[] }>('POST /table/query_stats_batch', {
        body: { project_id, digests: [digest, longer] },
      })
      expect(batch.json.tables).toHaveLength(2)
    })

    test('spans', async () => {
      const nano = `${Date.parse(startedAt)}000000`
      const span = {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        name: 'chat',
        kind: 1,
        startTimeUnixNano: nano,
        endTimeUnixNano: nano,
      }
      const attributes = [
        { key: 'ext.entity', value: { stringValue: entity } },
        { key: 'ext.project', value: { stringValue: project } },
      ]
      await walk.send('POST /otel/v1/traces', {
        body: { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [span] }] }] },
      })
      const record = { timeUnixNano: nano, body: { stringValue: 'hello' }, traceId: span.traceId, spanId: span.spanId }
      await walk.send('POST /otel/v1/logs', {
        body: { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [record] }] }] },
      })
      const metric = { name: 'cost', gauge: { dataPoints: [{ timeUnixNano: nano, asDouble: 0.5 }] } }
      await walk.send('POST /otel/v1/metrics', {
        body: { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics: [metric] }] }] },
      })
      expect((await walk.send('POST /metrics/query', { body: { project_id } })).lines).toMatchObject([{ value: 0.5 }])
      const stats = await walk.send('POST /metrics/stats', {
        body: { project_id, start: startedAt, granularity: 86_400 },
      })
      expect(stats.json).toMatchObject({ totals: [{ metric: 'cost', last: 0.5 }] })
      const filter = { trace_ids: [span.traceId] }
      const logs = await walk.send('POST /logs/query', { body: { project_id, filter } })
      expect(logs.lines).toMatchObject([{ body: 'hello', call_id: span.spanId }])
      expect((await walk.send('POST /calls/stream_query', { body: { project_id, filter } })).lines).toHaveLength(1)
    })

    test('annotation queues', async () => {
      const { id: queue_id } = (
        await walk.send<{ id: string }>('POST /annotation_queues', {
          body: { project_id, name: 'look', scorer_refs: [] },
        })
      ).json
      const path = { queue_id }
      await walk.send('PUT /annotation_queues/{queue_id}', { path, body: { project_id, name: 'look again' } })
      expect(
        (await walk.send('GET /annotation_queues/{queue_id}', { path, query: { project_id } })).json,
      ).toMatchObject({
        queue: { name: 'look again' },
      })
      expect((await walk.send('POST /annotation_queues/query', { body: { project_id } })).lines).toMatchObject([
        { id: queue_id },
      ])
      const added = await walk.send('POST /annotation_queues/{queue_id}/items', {
        path,
        body: { project_id, call_ids: ['root'], display_fields: ['inputs.question'] },
      })
      expect(added.json).toEqual({ added_count: 1, duplicates: 0 })
      const { items } = (
        await walk.send<{ items: [{ id: string }] }>('POST /annotation_queues/{queue_id}/items/query', {
          path,
          body: { project_id },
        })
      ).json
      await walk.send('POST /annotation_queues/{queue_id}/items/{item_id}/progress', {
        path: { queue_id, item_id: items[0].id },
        body: { project_id, annotation_state: 'completed' },
      })
      const stats = await walk.send('POST /annotation_queues/stats', { body: { project_id, queue_ids: [queue_id] } })
      expect(stats.json).toEqual({ stats: [{ queue_id, total_items: 1, completed_items: 1 }] })
      await walk.send('DELETE /annotation_queues/{queue_id}', { path, query: { project_id } })
      expect((await walk.send('POST /annotation_queues/query', { body: { project_id } })).lines).toEqual([])
    })

    test('rules', async () => {
      const created = await walk.send<{ rule: { id: string; filter: object } }>('POST /rules', {
        body: {
          project_id,
          name: 'slow',
          is_paused: true,
          filter: { ext_user_ids: ['a'] },
          condition: { metric: 'latency_p95_ms', comparison: 'above', threshold: 1000, window_seconds: 60 },
          action: { kind: 'webhook', url: 'https://example.invalid/hook' },
        },
      })
      const { id: rule_id, filter } = created.json.rule
      expect(filter).toEqual({ ext_user_ids: ['a'] })
      const path = { rule_id }
      await walk.send('PUT /rules/{rule_id}', { path, body: { project_id, name: 'slower' } })
      expect((await walk.send('GET /rules/{rule_id}', { path, query: { project_id } })).json).toMatchObject({
        rule: { name: 'slower', filter },
      })
      const rules = await walk.send('POST /rules/query', { body: { project_id } })
      expect(rules.json).toMatchObject({ rules: [{ name: 'slower' }] })
      const sent = await walk.send<{ delivery_id: string }>('POST /rules/{rule_id}/test', {
        path,
        body: { project_id },
      })
      const asked = await walk.send('POST /rules/{rule_id}/deliveries/query', { path, body: { project_id } })
      expect(asked.json).toMatchObject({ deliveries: [{ id: sent.json.delivery_id, type: 'rule.test' }] })
      await walk.send('DELETE /rules/{rule_id}', { path, query: { project_id } })
    })

    test('ops, datasets, scorers and models', async () => {
      const bodies = {
        ops: { name: 'op', source_code: 'def op(): pass' },
        datasets: { name: 'dataset', rows: [{ question: 'one?' }] },
        scorers: { name: 'scorer', op_source_code: 'def score(output): return 1' },
        models: { name: 'model', source_code: 'class Model: pass' },
      } as const
      for (const family of ['ops', 'datasets', 'scorers', 'models'] as const) {
        const { json } = await walk.send<{ object_id: string; digest: string }>(
          `POST /v2/{entity}/{project}/${family}`,
          {
            body: bodies[family],
          },
        )
        const path = { object_id: json.object_id, digest: json.digest }
        const listed = await walk.send(`GET /v2/{entity}/{project}/${family}`)
        expect(listed.lines.map(({ digest }) => digest)).toContain(json.digest)
        const read = await walk.send(`GET /v2/{entity}/{project}/${family}/{object_id}/versions/{digest}`, { path })
        expect(read.json).toMatchObject({ object_id: json.object_id, digest: json.digest, version_index: 0 })
        const deleted = await walk.send(`DELETE /v2/{entity}/{project}/${family}/{object_id}`, { path })
        expect(deleted.json).toEqual({ num_deleted: 1 })
      }
    })

    test('evaluations, runs, predictions and scores', async () => {
      const dataset = await walk.send<{ digest: string }>('POST /v2/{entity}/{project}/datasets', {
        body: { name: 'rows', rows: [{ question: 'one?', expected: 'x' }] },
      })
      const scorer = await walk.send<{ digest: string }>('POST /obj/create', {
        body: { obj: { project_id, object_id: 'exact', val: {}, builtin_object_class: 'ExactMatchScorer' } },
      })
      const scorerRef = `ext:///${project_id}/object/exact:${scorer.json.digest}`
      const evaluation = await walk.send<{ evaluation_ref: string; object_id: string; digest: string }>(
        'POST /v2/{entity}/{project}/evaluations',
        {
          body: {
            name: 'eval',
            dataset: `ext:///${project_id}/object/rows:${dataset.json.digest}`,
            scorers: [scorerRef],
          },
        },
      )
      const { evaluation_ref, object_id, digest } = evaluation.json
      expect((await walk.send('GET /v2/{entity}/{project}/evaluations')).lines).toHaveLength(1)
      const path = { evaluation_id: object_id, digest }
      expect(
        (await walk.send('GET /v2/{entity}/{project}/evaluations/{evaluation_id}/versions/{digest}', { path })).json,
      ).toMatchObject({ scorers: [scorerRef] })
      const model = await walk.send<{ digest: string }>('POST /obj/create', {
        body: {
          obj: {
            project_id,
            object_id: 'llm',
            val: { llm_model_id: 'gpt-4o' },
            builtin_object_class: 'LLMStructuredCompletionModel',
          },
        },
      })
      const modelRef = `ext:///${project_id}/object/llm:${model.json.digest}`

      const run = (
        await walk.send<{ evaluation_run_id: string }>('POST /v2/{entity}/{project}/evaluation_runs', {
          body: { evaluation: evaluation_ref, model: modelRef },
        })
      ).json
      const prediction = (
        await walk.send<{ prediction_id: string }>('POST /v2/{entity}/{project}/predictions', {
          body: {
            model: modelRef,
            inputs: { question: 'one?' },
            output: 'x',
            evaluation_run_id: run.evaluation_run_id,
          },
        })
      ).json
      const score = (
        await walk.send<{ score_id: string }>('POST /v2/{entity}/{project}/scores', {
          body: {
            prediction_id: prediction.prediction_id,
            scorer: scorerRef,
            value: 1,
            evaluation_run_id: run.evaluation_run_id,
          },
        })
      ).json
      expect(
        (await walk.send('GET /v2/{entity}/{project}/scores/{score_id}', { path: { ...score } })).json,
      ).toMatchObject({ value: 1 })
      expect((await walk.send('GET /v2/{entity}/{project}/scores')).lines).toHaveLength(1)
      await walk.send('POST /v2/{entity}/{project}/predictions/{prediction_id}/finish', { path: { ...prediction } })
      expect(
        (await walk.send('GET /v2/{entity}/{project}/predictions/{prediction_id}', { path: { ...prediction } })).json,
      ).toMatchObject({ output: 'x' })
      expect((await walk.send('GET /v2/{entity}/{project}/predictions')).lines).toHaveLength(1)
      await walk.send('POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish', {
        path: { ...run },
        body: {},
      })
      expect(
        (await walk.send('GET /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}', { path: { ...run } })).json,
      ).toMatchObject({ status: 'completed' })
      expect((await walk.send('GET /v2/{entity}/{project}/evaluation_runs')).lines).toHaveLength(1)
      const results = await walk.send('POST /v2/{entity}/{project}/eval_results/query', {
        body: { evaluation_run_ids: [run.evaluation_run_id], include_summary: true },
      })
      expect(results.json).toMatchObject({ total_rows: 1 })

      const { call_id } = (
        await walk.send<{ call_id: string }>('POST /evaluations/evaluate_model', {
          body: { project_id, evaluation_ref, model_ref: modelRef },
        })
      ).json
      for (let code = ''; code !== 'complete'; ) {
        const { json } = await walk.send<{ status: { code: string } }>('POST /evaluations/status', {
          body: { project_id, call_id },
        })
        code = json.status.code
        expect(['not_found', 'running', 'complete']).toContain(code)
      }
      await walk.send('POST /calls/score', { body: { project_id, call_ids: ['root'], scorer_refs: [scorerRef] } })

      expect(
        (await walk.send('DELETE /v2/{entity}/{project}/scores', { query: { score_ids: score.score_id } })).json,
      ).toEqual({ num_deleted: 1 })
      expect(
        (
          await walk.send('DELETE /v2/{entity}/{project}/predictions', {
            query: { prediction_ids: prediction.prediction_id },
          })
        ).json,
      ).toEqual({ num_deleted: 1 })
      expect(
        (
          await walk.send('DELETE /v2/{entity}/{project}/evaluation_runs', {
            query: { evaluation_run_ids: run.evaluation_run_id },
          })
        ).json,
      ).toEqual({ num_deleted: 1 })
      expect((await walk.send('DELETE /v2/{entity}/{project}/evaluations/{evaluation_id}', { path })).json).toEqual({
        num_deleted: 1,
      })
    }, 120_000)

    test('completions and images', async () => {
      const inputs = { model: 'gpt-4o', messages: [{ role: 'user', content: 'say yes' }] }
      const created = await walk.send<{
        response: { choices: [{ message: { content: string } }] }
        ext_call_id: string
      }>('POST /completions/create', { body: { project_id, inputs } })
      expect(created.json.response.choices[0].message.content).toBeString()
      const stream = await walk.send('POST /completions/create_stream', { body: { project_id, inputs } })
      expect(stream.lines[0]).toHaveProperty('_meta')
      expect(stream.lines.length).toBeGreaterThan(2)
      const image = await walk.send<{ response: object }>('POST /image/create', {
        body: { project_id, inputs: { model: 'dall-e-3', prompt: 'a lake' } },
      })
      expect(image.json.response).not.toHaveProperty('error')
    })

    test('inference information', async () => {
      const models = await walk.send<{ data: object[] }>('GET /inference/router/{vendor}/models', {
        path: { vendor: 'openrouter' },
      })
      expect(models.json.data.length).toBeGreaterThan(10)
      const analysed = await walk.send<{ data: object[] }>('GET /inference/analysis/{vendor}/models', {
        path: { vendor: 'artificialanalysis' },
      })
      expect(analysed.json.data.length).toBeGreaterThan(10)
      const hardware = await walk.send('GET /inference/{vendor}/v2/hardware', {
        path: { vendor: 'nvidia' },
        query: { model: 'gpt-4o' },
      })
      expect(hardware.json).toHaveProperty('hardware')
    })

    test('the service itself', async () => {
      expect((await walk.send('GET /health')).json).toEqual({ status: 'ok' })
      expect((await walk.send('GET /version')).json).toHaveProperty('version')
      expect((await walk.send('GET /server_info')).json).toHaveProperty('trace_server_version')
      expect((await walk.send('GET /geolocate', { query: { ip: '8.8.8.8' } })).json).toMatchObject({
        location: { country_code: 'US' },
      })
      const { json } = await walk.send('POST /service/projects_info', { body: { project_ids: [project_id] } })
      expect(json).toMatchObject([{ external_project_id: project_id }])
    })

    test('were all called', () => {
      expect(specifiedOperations.filter((operation) => !walk.called.has(operation))).toEqual([])
    })

    test('are, with our own, the operations of the OpenAPI document', async () => {
      const { json } = await client.get<{ paths: Record<string, Record<string, unknown>> }>('/openapi.json')
      const described = Object.entries(json.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      )
      const tested = [...specifiedOperations, ...Object.keys(otherOperations)]
      const without = (some: readonly string[], others: readonly string[]) => {
        const known = new Set(others.map(anonymous))
        return some.filter((operation) => !known.has(anonymous(operation)))
      }
      expect({
        'walk it here, or name the test that calls it in other-operations.ts': without(described, tested),
        'it is gone: remove it from the walk or from other-operations.ts': without(tested, described),
      }).toEqual({
        'walk it here, or name the test that calls it in other-operations.ts': [],
        'it is gone: remove it from the walk or from other-operations.ts': [],
      })
    })
  },
)

/** An operation whatever its path parameters are called. */
const anonymous = (operation: string): string => operation.replaceAll(/\{[^}]+\}/g, '{}')

test('every other operation is called by the test that is named for it', async () => {
  const uncalled: string[] = []
  for (const [operation, file] of Object.entries(otherOperations)) {
    const text = await Bun.file(join(import.meta.dir, '..', file)).text()
    const words = operation.split('/').filter((word) => !/[{ ]/.test(word))
    if (!words.slice(-1).every((word) => text.includes(word))) uncalled.push(`${operation} in ${file}`)
  }
  expect({ 'name another file in other-operations.ts': uncalled }).toEqual({
    'name another file in other-operations.ts': [],
  })
})
