import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { CallDraft } from '../support/call-shapes.ts'
import { type CostEntry, createCosts, price } from '../support/costs.ts'
import type { Project } from '../support/project.ts'
import { freshProject, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()

const withUsage = (id: string, usage: Record<string, unknown>, draft: CallDraft = {}) => ({
  id,
  ...draft,
  summary: { usage, ...draft.summary },
})

type Costs = Record<string, CostEntry>

async function costsOf(project: Project, id: string): Promise<Costs | undefined> {
  const call = await project.readExisting(id, { include_costs: true })
  return call.summary.ext['costs'] as Costs | undefined
}

const million = { requests: 1, prompt_tokens: 1_000_000, completion_tokens: 2_000_000, total_tokens: 3_000_000 }

describe('include_costs', () => {
  test('adds the cost of each model, with the price and its source', async () => {
    const project = freshProject(server)
    await createCosts(project, { 'my-model': price({ effective_date: '2024-01-01', provider_id: 'acme' }) })
    await project.add(withUsage('a', { 'my-model': million }))
    const costs = await costsOf(project, 'a')
    expect(costs).toMatchObject({
      'my-model': {
        prompt_tokens: 1_000_000,
        completion_tokens: 2_000_000,
        requests: 1,
        total_tokens: 3_000_000,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        prompt_token_cost: 1,
        completion_token_cost: 2,
        prompt_tokens_total_cost: 1_000_000,
        completion_tokens_total_cost: 4_000_000,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        effective_date: '2024-01-01T00:00:00Z',
        provider_id: 'acme',
        pricing_level: 'project',
        pricing_level_id: project.id,
        matched_llm_id: 'my-model',
        matched_by: 'exact',
      },
    })
    expect(costs!['my-model']!['created_by']).toBeString()
    expect(costs!['my-model']!['created_at']).toBeString()
  })

  test('knows the prices of well-known models', async () => {
    const project = freshProject(server)
    const usage = { 'openai/gpt-4o-2024-08-06': { ...million, prompt_tokens_details: { cached_tokens: 400_000 } } }
    await project.add(withUsage('a', usage))
    const entry = (await costsOf(project, 'a'))!['openai/gpt-4o-2024-08-06']!
    expect(entry).toMatchObject({
      pricing_level: 'default',
      pricing_level_id: 'default',
      provider_id: 'openai',
      matched_llm_id: 'openai/gpt-4o',
      matched_by: 'provider prefix',
      cache_read_input_tokens: 400_000,
    })
    expect(entry.prompt_tokens_total_cost).toBeCloseTo(1.5, 9)
    expect(entry['cache_read_input_tokens_total_cost']).toBeCloseTo(0.5, 9)
    expect(entry['completion_tokens_total_cost']).toBeCloseTo(20, 9)
  })

  test('prefers the project’s price to the built-in one, for every spelling of the name', async () => {
    const project = freshProject(server)
    await createCosts(project, { 'gpt-4o': price({ effective_date: '2020-01-01' }) })
    const names = ['gpt-4o', 'GPT-4o', 'openai/gpt-4o', 'gpt-4o-2024-08-06', 'azure/GPT-4o-2024-08-06']
    await project.add(withUsage('a', Object.fromEntries(names.map((name) => [name, { prompt_tokens: 3 }]))))
    const costs = await costsOf(project, 'a')
    expect(Object.values(costs!).map((entry) => [entry.prompt_tokens_total_cost, entry['matched_by']])).toEqual([
      [3, 'exact'],
      [3, 'case'],
      [3, 'provider prefix'],
      [3, 'undated'],
      [3, 'undated'],
    ])
  })

  test('uses the price effective when the call started', async () => {
    const project = freshProject(server)
    await createCosts(project, { m: price({ prompt_token_cost: 1, effective_date: '2024-01-01' }) })
    await createCosts(project, { m: price({ prompt_token_cost: 5, effective_date: '2024-06-01' }) })
    await createCosts(project, { m: price({ prompt_token_cost: 7, effective_date: '2024-03-01' }) })
    const usage = { m: { prompt_tokens: 1 } }
    await project.add(
      withUsage('before', usage, { started_at: '2023-05-01T00:00:00Z' }),
      withUsage('january', usage, { started_at: '2024-01-01T00:00:00Z' }),
      withUsage('april', usage, { started_at: '2024-04-01T00:00:00Z' }),
      withUsage('july', usage, { started_at: '2024-07-01T00:00:00Z' }),
    )
    const charged = await Promise.all(
      ['before', 'january', 'april', 'july'].map(
        async (id) => (await costsOf(project, id))!['m']!.prompt_tokens_total_cost,
      ),
    )
    expect(charged).toEqual([5, 1, 7, 5])
  })

  test('prefers an effective price of the undated name to a future one of the dated name', async () => {
    const project = freshProject(server)
    await createCosts(project, {
      'my-model': price({ effective_date: '2024-01-01' }),
      'my-model-2024-08-06': price({ prompt_token_cost: 9, effective_date: '2024-06-01' }),
    })
    const usage = { 'my-model-2024-08-06': { prompt_tokens: 1 } }
    await project.add(
      withUsage('now', usage, { started_at: '2024-05-01T00:00:00Z' }),
      withUsage('later', usage, { started_at: '2024-07-01T00:00:00Z' }),
    )
    const entryOf = async (id: string) => (await costsOf(project, id))!['my-model-2024-08-06']
    expect(await entryOf('now')).toMatchObject({ prompt_tokens_total_cost: 1, matched_by: 'undated' })
    expect(await entryOf('later')).toMatchObject({ prompt_tokens_total_cost: 9, matched_by: 'exact' })
    const stats = await server.post<{ usage_buckets: Record<string, unknown>[] }>('/calls/stats', {
      project_id: project.id,
      start: '2024-05-01',
      end: '2024-05-02',
      granularity: 86_400,
      usage_metrics: [{ metric: 'total_cost' }],
    })
    expect(stats.json.usage_buckets).toMatchObject([{ sum_total_cost: 1 }])
  })

  test('prefers an exact match of the name to one in another case, and names the match', async () => {
    const project = freshProject(server)
    await createCosts(project, { 'my-model': price({ effective_date: '2024-01-01' }) })
    await createCosts(project, {
      'My-Model': price({ prompt_token_cost: 9, effective_date: '2024-02-01' }),
      'OTHER-model': price({ effective_date: '2024-01-01' }),
    })
    const names = ['my-model', 'My-Model', 'other-model']
    await project.add(withUsage('a', Object.fromEntries(names.map((name) => [name, { prompt_tokens: 1 }]))))
    const costs = Object.values((await costsOf(project, 'a'))!)
    expect(costs.map((entry) => [entry['matched_llm_id'], entry['matched_by']])).toEqual([
      ['my-model', 'exact'],
      ['My-Model', 'exact'],
      ['OTHER-model', 'case'],
    ])
  })

  test('uses a price set after the call, but prefers an effective built-in one', async () => {
    const project = freshProject(server)
    await createCosts(project, { 'my-model': price(), 'gpt-4o': price() })
    await project.add(withUsage('a', { 'my-model': { prompt_tokens: 3 }, 'gpt-4o': { prompt_tokens: 3 } }))
    const costs = await costsOf(project, 'a')
    expect(costs!['my-model']).toMatchObject({ prompt_tokens_total_cost: 3, pricing_level: 'project' })
    expect(costs!['gpt-4o']).toMatchObject({ pricing_level: 'default' })
  })

  test('charges cached tokens once, and never a negative amount', async () => {
    const project = freshProject(server)
    const prices = { cache_read_input_token_cost: 0.5, cache_creation_input_token_cost: 3 }
    await createCosts(project, { m: price(prices) })
    const cached = { cache_read_input_tokens: 50, cache_creation_input_tokens: 10 }
    await project.add(
      withUsage('excluding', { m: { input_tokens: 5, ...cached } }),
      withUsage('including', { m: { prompt_tokens: 65, ...cached } }),
      withUsage('gross', { m: { input_tokens: 5, gross_input_tokens: 65, ...cached } }),
      withUsage('legacy', { m: { prompt_tokens: 5, ...cached } }),
    )
    for (const id of ['excluding', 'including', 'gross', 'legacy']) {
      expect((await costsOf(project, id))!['m']).toMatchObject({
        prompt_tokens_total_cost: 5,
        cache_read_input_tokens_total_cost: 25,
        cache_creation_input_tokens_total_cost: 30,
      })
    }
  })

  test('omits models without a price, and the member if no model is left', async () => {
    const project = freshProject(server)
    await createCosts(project, { known: price() })
    await project.add(
      withUsage('some', { known: { prompt_tokens: 1 }, unknown: { prompt_tokens: 1 } }),
      withUsage('none', { unknown: { prompt_tokens: 1 } }),
      { id: 'no-usage' },
      { id: 'odd', summary: { usage: [1, 2] } },
      { id: 'odder', summary: { usage: { known: 5 } } },
      { id: 'running', ended_at: null },
    )
    expect(Object.keys((await costsOf(project, 'some'))!)).toEqual(['known'])
    for (const id of ['none', 'no-usage', 'odd', 'odder', 'running']) expect(await costsOf(project, id)).toBeUndefined()
  })

  test('is absent unless requested', async () => {
    const project = freshProject(server)
    await project.add(withUsage('a', { 'gpt-4o': million }))
    expect((await project.readExisting('a')).summary.ext).not.toHaveProperty('costs')
    const [call] = await project.query({ include_costs: false })
    expect(call!.summary.ext).not.toHaveProperty('costs')
  })

  test('leaves the rest of the call byte-identical', async () => {
    const project = freshProject(server)
    const call = `{"project_id":"${project.id}","id":"a","trace_id":"t","op_name":"ü/\\"op\\"","started_at":"2024-05-01T00:00:00Z",
      "ended_at":"2024-05-01T00:00:01Z","attributes":{"n":1.0},"inputs":{"n":12345678901234567890,"e":1e5},"output":[2.50],
      "summary":{"usage":{"gpt-4o":{"prompt_tokens":1,"exact":1.0}},"z":0.10}}`
    const answer = await server.postRaw(project.v2('calls/complete'), `{"batch":[${call}]}`)
    expect(answer.status).toBe(200)
    const plain = (await project.ask()).text
    const priced = (await project.ask({ include_costs: true })).text
    const costs = /,"costs":\{"gpt-4o":\{[^}]*\}\}/.exec(priced)?.[0] ?? 'none'
    expect(priced.replace(costs, '')).toBe(plain)
    expect(plain).toContain('12345678901234567890')
  })

  test.each([[['id']], [[]], [['inputs.a']], [['summary.ext.costs']]])(
    'returns the full summary and status, whatever the columns: %j',
    async (columns) => {
      const project = freshProject(server)
      const draft = {
        display_name: 'shown',
        exception: 'failed',
        output: 5,
        inputs: { a: 1 },
        summary: { own: { n: 1 } },
      }
      await project.add(withUsage('a', { 'gpt-4o': million }, draft))
      const whole = await project.readExisting('a', { include_costs: true })
      const [call] = await project.query({ include_costs: true, columns })
      const { summary, ended_at, exception, display_name } = whole
      expect(call).toMatchObject({ summary, ended_at, exception, display_name })
      expect(call!.summary).toMatchObject({ usage: { 'gpt-4o': million }, own: { n: 1 } })
      expect(call!.output).toBeNull()
    },
  )

  test('adds no columns to a table', async () => {
    const project = freshProject(server)
    await project.add(withUsage('a', { 'gpt-4o': million }))
    expect((await project.ask({ include_costs: true, columns: ['id'] }, 'text/csv')).text).toBe('id\r\na\r\n')
  })

  test('works in a long stream that is read in windows', async () => {
    const project = freshProject(server)
    await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
    const drafts = Array.from({ length: 300 }, (_, index) => withUsage(`c${index}`, { m: { prompt_tokens: index } }))
    await project.complete(...drafts)
    const calls = await project.query({ include_costs: true, offset: 10 })
    expect(calls).toHaveLength(290)
    for (const { id, summary } of calls) {
      const entry = (summary.ext['costs'] as Costs)['m']!
      expect(entry.prompt_tokens_total_cost).toBe(Number(id.slice(1)))
    }
  })

  test('is included in CSV, in full or by path', async () => {
    const project = freshProject(server)
    await createCosts(project, { m: price({ effective_date: '2024-01-01' }) })
    await project.add(withUsage('a', { m: { prompt_tokens: 4 } }), { id: 'b', started_at: '2024-06-01T00:00:00Z' })
    const columns = ['id', 'summary.ext.costs.m.prompt_tokens_total_cost', 'summary.ext.costs.m.pricing_level']
    const { text } = await project.ask({ include_costs: true, columns }, 'text/csv')
    expect(text.split('\r\n').slice(1, 3)).toEqual(['a,4,project', 'b,,'])
    const whole = await project.ask({ include_costs: true, columns: ['summary', 'summary.ext'] }, 'text/csv')
    expect(whole.text.split('prompt_tokens_total_cost')).toHaveLength(3)
  })

  test('is the same in Parquet and JSON, including times and numbers', async () => {
    const project = freshProject(server)
    await project.add(withUsage('a', { 'gpt-4o': million }, { ext_run_step: 7, inputs: { text: 'ä\n"' } }), { id: 'b' })
    const flags = { include_costs: true, include_feedback: true, sort_by: [{ field: 'id', direction: 'asc' }] }
    const { bytes } = await project.ask(flags, 'application/vnd.apache.parquet')
    const folder = await makeTempFolder()
    const file = join(folder, 'calls.parquet')
    await Bun.write(file, bytes)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const sql = `SELECT id, summary, inputs, ext_run_step, epoch_ms(started_at), typeof(started_at) FROM '${file}' ORDER BY id`
    const rows = (await connection.runAndReadAll(sql)).getRows()
    connection.closeSync()
    instance.closeSync()
    await removeFolder(folder)
    const calls = await project.query(flags)
    expect(
      rows.map(([id, summary, inputs, ...rest]) => [
        id,
        JSON.parse(String(summary)),
        JSON.parse(String(inputs)),
        ...rest,
      ]),
    ).toEqual(
      calls.map(({ id, summary, inputs, ext_run_step, started_at }) => [
        id,
        summary,
        inputs,
        ext_run_step === null ? null : BigInt(ext_run_step),
        BigInt(Date.parse(started_at)),
        'TIMESTAMP WITH TIME ZONE',
      ]),
    )
  })

  test('is included in Parquet and Arrow', async () => {
    const project = freshProject(server)
    await project.add(withUsage('a', { 'gpt-4o': million }))
    for (const accept of ['application/vnd.apache.parquet', 'application/vnd.apache.arrow.stream']) {
      const plain = await project.ask({}, accept)
      const priced = await project.ask({ include_costs: true }, accept)
      expect(priced.status).toBe(200)
      expect(priced.bytes.byteLength).toBeGreaterThan(plain.bytes.byteLength)
    }
  })
})
