import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { expectInvalid } from '../support/refusals.ts'
import { runServerToItsEnd } from '../support/server-process.ts'
import { ownServer, sharedServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'

const server = await sharedServer()

interface RouterModel {
  id: string
  hugging_face_id: string
  created: number
  quantization: string
  context_length: number
  pricing: Record<string, string>
  datacenters: unknown[]
  deprecation_date?: string
}

describe('model lists', () => {
  test.each(['/inference/router/openrouter/models', '/inference/analysis/anyone/models'])('%s', async (path) => {
    const { status, json } = await server.get<{ data: RouterModel[] }>(path)
    expect(status).toBe(200)
    const model = json.data.find(({ id }) => id === 'wandb/deepseek-ai/DeepSeek-R1-0528')!
    expect(model).toMatchObject({
      hugging_face_id: 'deepseek-ai/DeepSeek-R1-0528',
      created: Date.UTC(2025, 4, 28) / 1000,
      input_modalities: ['text'],
      output_modalities: ['text'],
      quantization: 'fp8',
      supported_features: ['tools', 'reasoning'],
      datacenters: [],
    })
    expect(new Set(json.data.map(({ id }) => id)).size).toBe(json.data.length)
    for (const { context_length, pricing } of json.data) {
      expect(context_length).toBeGreaterThan(0)
      for (const price of Object.values(pricing)) expect(price).toMatch(/^\d+(\.\d*[1-9])?$/)
    }
  })

  test('/inference/catalog/models includes models without open weights', async () => {
    const { json } = await server.get<{ models: Record<string, unknown>[] }>('/inference/catalog/models')
    const model = json.models.find(({ id }) => id === 'openai/gpt-4o-mini')
    expect(model).toMatchObject({
      provider: 'openai',
      idHuggingFace: null,
      contextWindow: 128_000,
      quantization: null,
      priceCentsPerBillionTokensInput: 15_000,
      priceCentsPerBillionTokensOutput: 60_000,
    })
  })

  test('/inference/modelsdev/models maps providers to models', async () => {
    const { json } =
      await server.get<Record<string, { id: string; models: Record<string, unknown> }>>('/inference/modelsdev/models')
    expect(json['anthropic']!.id).toBe('anthropic')
    expect(Object.keys(json['anthropic']!.models).length).toBeGreaterThan(5)
  })

  test('/inference/nvidia/v2/hardware accepts model names without the publisher', async () => {
    const ask = (model: string) =>
      server.get<{ hardware: Record<string, unknown>[] }>(`/inference/nvidia/v2/hardware?model=${model}`)
    const { json } = await ask('deepseek-r1-0528')
    expect(json.hardware).toContainEqual({
      id: 'wandb-serverless',
      name: 'wandb serverless',
      type: 'serverless',
      pricing: {
        cents_per_million_input_tokens: expect.any(Number),
        cents_per_million_output_tokens: expect.any(Number),
      },
      specs: { model: 'wandb/deepseek-ai/DeepSeek-R1-0528' },
    })
    expect((await ask('nothing-like-it')).json).toEqual({ hardware: [] })
    expectInvalid(await server.get('/inference/nvidia/v2/hardware'), ['query', 'model'])
  })

  test('require a key', async () => {
    expect((await server.get('/inference/catalog/models', { key: null })).status).toBe(401)
  })
})

describe("the operator's file", () => {
  const pricing = { prompt: '0.000001', completion: '0.000002', image: '0', request: '0', input_cache_read: '0' }
  const hardware = [
    {
      id: 'h100',
      name: 'One H100',
      type: 'gpu',
      pricing: { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 2 },
      specs: { memory: '80 GB' },
    },
  ]
  const own = { id: 'custom::house::tiny', quantization: 'int4', context_length: 4096, pricing, hardware }
  const corrected = { id: 'openai/gpt-4o-mini', name: 'Mini', quantization: 'fp16', deprecation_date: '2027-01-01' }

  test('adds models and overrides built-in ones', async () => {
    const folder = await makeTempFolder()
    const file = join(folder, 'models.json')
    await Bun.write(file, JSON.stringify({ data: [own, corrected] }))
    const { client } = await ownServer({ env: { TRACELAKE_MODEL_CATALOG: file } })
    await removeFolder(folder)
    const { json } = await client.get<{ data: RouterModel[] }>('/inference/router/x/models')
    const byId = new Map(json.data.map((model) => [model.id, model]))
    expect(byId.get('custom::house::tiny')).toMatchObject({ quantization: 'int4', context_length: 4096, pricing })
    expect(byId.get('openai/gpt-4o-mini')).toMatchObject({
      name: 'Mini',
      quantization: 'fp16',
      context_length: 128_000,
      deprecation_date: '2027-01-01',
    })
    const found = await client.get('/inference/nvidia/v2/hardware?model=custom::house::tiny')
    expect(found.json).toEqual({ hardware })
  }, 120_000)

  test.each([
    ['{', 'Cannot read the model catalog'],
    ['{"data": [{"id": "a", "quantization": "int3"}]}', '/data/0'],
  ])(
    'is rejected at startup if invalid: %s',
    async (content, message) => {
      const folder = await makeTempFolder()
      const file = join(folder, 'models.json')
      await Bun.write(file, content)
      const { exitCode, output } = await runServerToItsEnd(join(folder, 'data'), { TRACELAKE_MODEL_CATALOG: file })
      await removeFolder(folder)
      expect(exitCode).toBe(2)
      expect(output).toContain('TRACELAKE_MODEL_CATALOG')
      expect(output).toContain(message)
    },
    120_000,
  )
})
