import { describe, expect, test } from 'bun:test'
import { countTokens } from '../../lib/count-tokens.ts'
import { type CostStatistics, type Price, priceUsage, withTotal } from './price-usage.ts'
import { findShippedPrice } from './shipped-prices.ts'

const perMillion = (prompt: number, completion: number, cacheRead = prompt, cacheCreation = prompt): Price => ({
  prompt: prompt / 1e6,
  completion: completion / 1e6,
  cacheRead: cacheRead / 1e6,
  cacheCreation: cacheCreation / 1e6,
  cacheCreationLong: (2 * prompt) / 1e6,
})

/** gpt-4o: $2.50 input, $1.25 cached input, $10 output per million tokens. */
const gpt4o = perMillion(2.5, 10, 1.25)
/**
 * Claude Sonnet: $3 input, $0.30 cache read, $3.75 five-minute cache write, $6 one-hour cache
 * write, $15 output.
 */
const sonnet = perMillion(3, 15, 0.3, 3.75)

const sum = (statistics: CostStatistics) =>
  statistics.prompt_tokens_total_cost +
  statistics.completion_tokens_total_cost +
  statistics.cache_read_input_tokens_total_cost +
  statistics.cache_creation_input_tokens_total_cost

describe('OpenAI: prompt_tokens contain the cached tokens', () => {
  // The example of https://platform.openai.com/docs/guides/prompt-caching: 2006 input tokens, 1920
  // of them cached.
  const usage = {
    prompt_tokens: 2006,
    completion_tokens: 300,
    total_tokens: 2306,
    prompt_tokens_details: { cached_tokens: 1920 },
    completion_tokens_details: { reasoning_tokens: 0 },
  }

  test('86 tokens at the full price and 1920 at half of it', () => {
    const statistics = priceUsage(usage, gpt4o)
    expect(statistics).toMatchObject({ prompt_tokens: 2006, cache_read_input_tokens: 1920, total_tokens: 2306 })
    expect(statistics.prompt_tokens_total_cost).toBeCloseTo(86 * 2.5e-6, 12)
    expect(statistics.cache_read_input_tokens_total_cost).toBeCloseTo(1920 * 1.25e-6, 12)
    expect(statistics.completion_tokens_total_cost).toBeCloseTo(0.003, 12)
    expect(sum(statistics)).toBeCloseTo(0.000215 + 0.0024 + 0.003, 12)
  })

  test('the Responses API reports the same under other names', () => {
    const { prompt_tokens, completion_tokens, total_tokens } = usage
    const responses = {
      input_tokens: prompt_tokens,
      output_tokens: completion_tokens,
      total_tokens,
      input_tokens_details: { cached_tokens: 1920 },
    }
    expect(priceUsage(responses, gpt4o)).toEqual(priceUsage(usage, gpt4o))
  })

  test('a client that reports cached tokens in a separate member', () => {
    const moved = { prompt_tokens: 2006, completion_tokens: 300, cache_read_input_tokens: 1920 }
    expect(sum(priceUsage(moved, gpt4o))).toBeCloseTo(sum(priceUsage(usage, gpt4o)), 12)
  })

  test('a client that reports each figure under both names is charged once', () => {
    const twice = { ...usage, input_tokens: 2006, output_tokens: 300 }
    expect(priceUsage(twice, gpt4o)).toEqual(priceUsage(usage, gpt4o))
  })
})

describe('Anthropic: input_tokens exclude the cached tokens', () => {
  // https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching: total input = read +
  // creation + input_tokens.
  const usage = {
    input_tokens: 50,
    output_tokens: 503,
    cache_read_input_tokens: 100_000,
    cache_creation_input_tokens: 248,
  }

  test('charges each kind of token its own price', () => {
    const statistics = priceUsage(usage, sonnet)
    expect(statistics.prompt_tokens_total_cost).toBeCloseTo(50 * 3e-6, 12)
    expect(statistics.cache_read_input_tokens_total_cost).toBeCloseTo(100_000 * 0.3e-6, 12)
    expect(statistics.cache_creation_input_tokens_total_cost).toBeCloseTo(248 * 3.75e-6, 12)
    expect(statistics.completion_tokens_total_cost).toBeCloseTo(503 * 15e-6, 12)
  })

  test('one-hour writes cost twice the input price, five-minute writes 1.25 times', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 }
    const statistics = priceUsage({ ...usage, cache_creation }, sonnet)
    expect(statistics.cache_creation_input_tokens_total_cost).toBeCloseTo(148 * 3.75e-6 + 100 * 6e-6, 12)
  })

  test('gross_input_tokens are the total', () => {
    const gross = priceUsage({ ...usage, gross_input_tokens: 100_298 }, sonnet)
    expect(gross.prompt_tokens).toBe(100_298)
    expect(sum(gross)).toBeCloseTo(sum(priceUsage(usage, sonnet)), 12)
  })

  test('a total that includes the cached tokens identifies the convention', () => {
    const renamed = {
      prompt_tokens: 500,
      completion_tokens: 10,
      cache_read_input_tokens: 400,
      total_tokens: 910,
    }
    expect(countTokens(renamed).uncached).toBe(500)
    expect(countTokens({ ...renamed, total_tokens: 510 }).uncached).toBe(100)
  })
})

describe('any usage', () => {
  test('is never charged below zero', () => {
    const usage = { prompt_tokens: 5, cache_read_input_tokens: 50, cache_creation_input_tokens: 10 }
    const price = perMillion(1e6, 1e6)
    expect(priceUsage(usage, price)).toMatchObject({ prompt_tokens: 5, prompt_tokens_total_cost: 5 })
    const wrong = { ...usage, gross_input_tokens: 20, completion_tokens: -4 }
    expect(priceUsage(wrong, price)).toMatchObject({ prompt_tokens_total_cost: 0, completion_tokens_total_cost: 0 })
  })

  test('accepts numeric texts and nothing else', () => {
    const usage = { prompt_tokens: '12', completion_tokens: { a: 1 }, requests: null, total_tokens: 'many' }
    expect(countTokens(usage)).toMatchObject({ prompt: 12, completion: 0, requests: 0, total: 0 })
  })

  test.each([
    ['DeepSeek', { prompt_tokens: 100, prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 }],
    ['LangChain', { input_tokens: 100, input_token_details: { cache_read: 80 } }],
    ['Gemini', { prompt_tokens: 100, cached_content_token_count: 80 }],
  ])('finds the cached tokens under the names of %s', (_client, usage) => {
    expect(countTokens(usage)).toMatchObject({ uncached: 20, cacheRead: 80 })
  })
})

describe('tiers', () => {
  const tiered = { base: 1, tiers: [{ above: 200, price: 2 }] }
  const price: Price = { prompt: tiered, completion: tiered, cacheRead: 0.5, cacheCreation: 1, cacheCreationLong: 1 }

  test('apply to the whole request, by its total input tokens', () => {
    expect(priceUsage({ prompt_tokens: 200, completion_tokens: 10 }, price).prompt_tokens_total_cost).toBe(200)
    const above = { input_tokens: 101, output_tokens: 10, cache_read_input_tokens: 100 }
    expect(priceUsage(above, price)).toMatchObject({ prompt_tokens_total_cost: 202, completion_tokens_total_cost: 20 })
  })

  test('go by the average request if usage sums several', () => {
    expect(priceUsage({ prompt_tokens: 400, requests: 2 }, price).prompt_tokens_total_cost).toBe(400)
  })
})

describe('shipped prices', () => {
  const at = Date.parse('2025-08-01')

  test.each([
    ['gpt-4o', 'openai/gpt-4o', 'catalog'],
    ['GPT-4o', 'openai/gpt-4o', 'catalog'],
    ['gpt-4o-2024-08-06', 'openai/gpt-4o', 'catalog'],
    ['gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13', 'catalog'],
    ['gpt-4o-2031-01-31', 'openai/gpt-4o', 'undated'],
    ['openai/gpt-4o', 'openai/gpt-4o', 'provider prefix'],
    ['openai:gpt-4o', 'openai/gpt-4o', 'provider prefix'],
    ['azure/gpt-4o', 'azure/gpt-4o', 'provider prefix'],
    ['litellm_proxy/azure/gpt-4o', 'azure/gpt-4o', 'provider prefix'],
    ['anthropic/claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4-0', 'provider prefix'],
    ['gemini/gemini-2.5-flash', 'google/gemini-2.5-flash', 'provider prefix'],
    ['text-embedding-3-small', 'openai/text-embedding-3-small', 'catalog'],
    [
      'bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0',
      'aws/regional.anthropic.claude-3-5-sonnet-20240620-v1:0',
      'provider prefix',
    ],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'aws/regional.anthropic.claude-sonnet-4-20250514-v1:0', 'catalog'],
  ])('%s is %s (%s)', (name, llmId, by) => {
    expect(findShippedPrice(name, at)).toMatchObject({ llmId, by: by as 'catalog' })
  })

  test.each(['my-model', 'ft:gpt-4o-2024-08-06:acme::abc', 'ollama/deepseek-r1', 'ollama/llama3', '', '/', 'openai/'])(
    '"%s" has no price',
    (name) => {
      expect(findShippedPrice(name, at)).toBeUndefined()
    },
  )

  test('are those valid on the day of the call', () => {
    const before = findShippedPrice('o3', Date.parse('2025-05-01'))
    const after = findShippedPrice('o3', Date.parse('2025-07-01'))
    expect(before).toMatchObject({ price: { prompt: 10e-6 }, effectiveDate: undefined })
    expect(after).toMatchObject({ price: { prompt: 2e-6 }, effectiveDate: '2025-06-10' })
  })

  test('have the tiers of their providers', () => {
    const { price } = findShippedPrice('gemini-2.5-pro', at)!
    expect(priceUsage({ prompt_tokens: 200_000 }, price).prompt_tokens_total_cost).toBeCloseTo(0.25, 10)
    expect(priceUsage({ prompt_tokens: 200_001 }, price).prompt_tokens_total_cost).toBeCloseTo(0.5, 4)
  })
})

describe('a stated cost', () => {
  const usage = { input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 1000 }

  test('is divided like the computed one', () => {
    const computed = priceUsage(usage, sonnet)
    const statistics = withTotal(computed, 2 * sum(computed))
    expect(sum(statistics)).toBeCloseTo(2 * sum(computed), 12)
    expect(statistics.completion_tokens_total_cost).toBeCloseTo(2 * computed.completion_tokens_total_cost, 12)
  })

  test('is for the input if nothing has a price', () => {
    const statistics = withTotal(priceUsage(usage, perMillion(0, 0)), 0.5)
    expect(statistics.prompt_tokens_total_cost).toBe(0.5)
    expect(sum(statistics)).toBe(0.5)
  })
})
