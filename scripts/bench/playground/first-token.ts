import { startStubModel } from '../../stub-model/server.ts'
import { type Benchmark, type Figure, percentile } from '../benchmark.ts'
import { project } from '../payload/calls.ts'

/** What the server adds to the time until a provider's first token. */
export const firstToken: Benchmark = {
  name: 'first-token',
  description:
    'Time until the first token of a streamed completion of a stub that answers at once: asked directly, and through ' +
    '/completions/create_stream as the playground asks, by turns. Both are one connection that is kept open.',
  comparesVariants: true,
  run: async (bench) => {
    const times = bench.size(300, 5)
    const stub = startStubModel()
    try {
      const env = { TRACELAKE_OPENAI_BASE_URL: stub.url, OPENAI_API_KEY: 'sk-bench' }
      await using server = await bench.startServer(bench.newFolder('playground'), undefined, env)
      const figures: Figure[] = []
      for (const [variant, chars] of [
        ['prompt of 1 KB', 1_000],
        ['prompt of 200 KB', 200_000],
      ] as const) {
        const inputs = { model: 'gpt-4o-mini', messages: promptOf(chars) }
        const direct = () =>
          firstTokenMs(
            `${stub.url}/chat/completions`,
            { ...inputs, stream: true },
            { authorization: 'Bearer sk-bench' },
          )
        const played = { project_id: project, source: 'playground', retry: false, inputs }
        const headers = { authorization: `Basic ${btoa(`api:${server.key}`)}` }
        const through = () => firstTokenMs(`${server.url}/completions/create_stream`, played, headers)
        for (let warm = 0; warm < bench.size(30, 1); warm++) await Promise.all([direct(), through()])
        const [ofStub, ofServer]: [number[], number[]] = [[], []]
        for (let at = 0; at < times; at++) {
          ofStub.push(await direct())
          ofServer.push(await through())
        }
        for (const share of [0.5, 0.95]) {
          const [before, after] = [percentile(ofStub, share), percentile(ofServer, share)]
          const measure = `p${share * 100}`
          figures.push(
            { variant, measure: `stub alone, ${measure}`, value: before, unit: 'ms' },
            { variant, measure: `through the server, ${measure}`, value: after, unit: 'ms' },
            { variant, measure: `added, ${measure}`, value: after - before, unit: 'ms', target: { max: 20 } },
          )
        }
      }
      return figures
    } finally {
      await stub.stop()
    }
  },
}

const promptOf = (chars: number) => [
  { role: 'system', content: 'You are an agent of an airline. '.repeat(Math.ceil(chars / 32)).slice(0, chars) },
  { role: 'user', content: 'Please cancel my flight tomorrow and refund it.' },
]

/** Milliseconds from sending a request until its answer has a token; the rest is read as well. */
async function firstTokenMs(url: string, body: object, headers: Record<string, string>): Promise<number> {
  const text = JSON.stringify(body)
  const startedMs = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  })
  if (!response.ok || response.body === null) throw new Error(`Ask ${url}: ${response.status} ${await response.text()}`)
  const decoder = new TextDecoder()
  let [read, tokenMs] = ['', Number.NaN]
  for await (const piece of response.body) {
    if (!Number.isNaN(tokenMs)) continue
    read += decoder.decode(piece, { stream: true })
    if (/"content":\s*"[^"]/.test(read)) tokenMs = performance.now() - startedMs
  }
  if (Number.isNaN(tokenMs)) throw new Error(`Ask ${url}: no token came, but ${read.slice(0, 300)}`)
  return tokenMs
}
