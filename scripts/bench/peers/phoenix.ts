import { existsSync } from 'node:fs'
import path from 'node:path'
import { plainExports } from './jaeger.ts'
import { NotAvailable, type Peer, type Question, type QuestionName, type Spans } from './peer.ts'
import { freePort, runTool } from './peer-server.ts'

const version = '20.26.1'

/**
 * Phoenix with its SQLite file, from PyPI.
 *
 * @param tools folder that its virtual environment is kept in
 * @throws NotAvailable
 */
export async function phoenix(tools: string): Promise<Peer> {
  const home = path.join(tools, `phoenix-${version}`)
  const mark = path.join(home, 'installed')
  if (!existsSync(mark)) {
    if (Bun.which('python3') === null) throw new NotAvailable('there is no "python3" on the PATH to install it with')
    await runTool(['python3', '-m', 'venv', home], { folder: tools })
    await runTool([path.join(home, 'bin/pip'), 'install', '--quiet', `arize-phoenix==${version}`], { folder: tools })
    await Bun.write(mark, '')
  }
  return {
    name: 'Phoenix',
    version: `${version}, PyPI`,
    async launch(folder) {
      const [port, grpcPort] = await Promise.all([freePort(), freePort()])
      return {
        command: [path.join(home, 'bin/phoenix'), 'serve'],
        env: {
          PHOENIX_WORKING_DIR: folder,
          PHOENIX_HOST: '127.0.0.1',
          PHOENIX_PORT: String(port),
          PHOENIX_GRPC_PORT: String(grpcPort),
          PHOENIX_TELEMETRY_ENABLED: 'false',
          PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
        },
        url: `http://127.0.0.1:${port}`,
        ready: '/healthz',
      }
    },
    deliveries: (spans) => plainExports(spans, '/v1/traces'),
    questions: async (spans, url) => questionsOf(spans, await projectOf(url)),
    async isStored({ count }, url) {
      const id = await projectOf(url).catch(() => undefined)
      if (id === undefined) return false
      const answer = await fetch(`${url}/graphql`, inGraph(id, 'recordCount'))
      return ((await answer.json()) as Answer<{ recordCount: number }>).data.node.recordCount === count
    },
  }
}

interface Answer<Fields> {
  readonly data: { readonly node: Fields }
}
interface Edges {
  readonly edges: readonly unknown[]
}

async function projectOf(url: string): Promise<string> {
  const body = JSON.stringify({ query: '{ projects { edges { node { id name } } } }' })
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  type Projects = { data: { projects: { edges: { node: { id: string; name: string } }[] } } }
  const { edges } = ((await answer.json()) as Projects).data.projects
  return edges.find(({ node }) => node.name === 'default')!.node.id
}

const inGraph = (projectId: string, fields: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    query: `query Ask($id: ID!) { node(id: $id) { ... on Project { ${fields} } } }`,
    variables: { id: projectId },
  }),
})

const spanFields = 'edges { node { spanId name startTime latencyMs statusCode parentId tokenCountTotal } }'
const fullSpanFields =
  'edges { node { spanId name startTime latencyMs statusCode parentId tokenCountTotal attributes input { value } output { value } } }'

function questionsOf(spans: Spans, projectId: string): Record<QuestionName, Question> {
  const { attribute, word } = spans
  const ask = (fields: string) => ({ path: '/graphql', body: inGraph(projectId, fields).body })
  const nodeOf = <Fields>(answer: string) => (JSON.parse(answer) as Answer<Fields>).data.node
  const listed = (condition: string): Question => ({
    request: () =>
      ask(
        `spans(first: 50, sort: { col: startTime, dir: desc }, filterCondition: ${JSON.stringify(condition)}) { ${spanFields} }`,
      ),
    sizeOf: (answer) => nodeOf<{ spans: Edges }>(answer).spans.edges.length,
    size: 50,
  })
  const trace = (traceId: string, first: number) =>
    ask(`trace(traceId: "${traceId}") { spans(first: ${first}) { ${fullSpanFields} } }`)
  const spansOfTrace = (answer: string) => nodeOf<{ trace: { spans: Edges } }>(answer).trace.spans.edges.length
  const place = attribute.key
    .split('.')
    .map((name) => `['${name}']`)
    .join('')
  const ofModel = `attributes${place} == '${attribute.value}'`
  const [start, end] = [spans.firstMs, spans.firstMs + spans.hours * 3_600_000].map((ms) => new Date(ms).toISOString())
  return {
    'newest 50 roots': listed('parent_id is None'),
    'trace of 10': {
      request: (time) => trace(spans.traceId((time * 7919) % spans.smallTraces), 1000),
      sizeOf: spansOfTrace,
      size: 10,
    },
    'trace of 10,000': {
      request: () => trace(spans.largeTraceId, spans.largeTrace),
      sizeOf: spansOfTrace,
      size: spans.largeTrace,
    },
    'count by attribute': {
      request: () => ask(`recordCount(filterCondition: ${JSON.stringify(ofModel)})`),
      sizeOf: (answer) => nodeOf<{ recordCount: number }>(answer).recordCount,
      size: attribute.spans,
    },
    'newest 50 by attribute': listed(ofModel),
    'newest 50 with a rare word': {
      ...listed(`'${word.text}' in attributes['gen_ai']['input']['messages']`),
      size: Math.min(50, word.spans),
    },
    'count by hour': {
      request: () =>
        ask(
          `spanCountTimeSeries(timeRange: { start: "${start}", end: "${end}" }, timeBinConfig: { scale: HOUR }) { data { timestamp totalCount } }`,
        ),
      sizeOf: (answer) => nodeOf<{ spanCountTimeSeries: { data: unknown[] } }>(answer).spanCountTimeSeries.data.length,
      size: spans.hours,
    },
    'count of all': {
      request: () => ask('recordCount'),
      sizeOf: (answer) => nodeOf<{ recordCount: number }>(answer).recordCount,
      size: spans.count,
    },
  }
}
