import type { ImportRecord, Target } from '../record.ts'
import type { ServerClient } from '../sender/server-client.ts'

type Price = Readonly<Record<string, unknown>>

const members = [
  'prompt_token_cost',
  'completion_token_cost',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'prompt_token_cost_unit',
  'completion_token_cost_unit',
  'effective_date',
  'provider_id',
] as const

/** The prices that were set in the project; those that the target has already are left out. */
export async function* weavePrices(from: ServerClient): AsyncGenerator<ImportRecord> {
  for (const price of await pricesOf(from, from.project)) {
    // A server also lists the prices that it ships with.
    if ((price['pricing_level'] ?? 'project') !== 'project') continue
    yield { kind: 'request', what: 'prices', name: String(price['llm_id']), send: (target) => setPrice(price, target) }
  }
}

async function setPrice(price: Price, target: Target): Promise<void> {
  const wanted = identity(price)
  if ((await pricesOf(target, target.project)).some((existing) => identity(existing) === wanted)) return
  const given = members.flatMap((name) =>
    price[name] === null || price[name] === undefined ? [] : [[name, price[name]]],
  )
  const costs = { [String(price['llm_id'])]: Object.fromEntries(given) as Price }
  await target.post('/cost/create', { project_id: target.project, costs })
}

async function pricesOf(server: Pick<Target, 'post'>, project: string): Promise<readonly Price[]> {
  return ((await server.post('/cost/query', { project_id: project })) as { results: Price[] }).results
}

const identity = (price: Price): string =>
  JSON.stringify(
    ['llm_id', ...members].map((name) => (name === 'effective_date' ? time(price[name]) : (price[name] ?? null))),
  )

const time = (text: unknown): number => Date.parse(String(text))
