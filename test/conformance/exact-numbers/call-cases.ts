import { tableFromIPC } from 'apache-arrow'
import { parseDelimited } from '../support/delimited-text.ts'
import type { Project } from '../support/project.ts'
import { Rules } from '../support/rules.ts'
import { StubCollector, sentSpans } from '../support/stub-collector.ts'
import { until } from '../support/until.ts'
import { type Case, send } from './case.ts'
import { free, type Shown, shown, textOf } from './exact-json.ts'

const startMembers = ['inputs', 'attributes', 'otel_dump']
const endMembers = ['output', 'summary']
const under = (prefix: string, names: readonly string[]): string[] => names.map((name) => prefix + name)

/** No operation shows the dump of a span. */
const shownMembers = (members: readonly string[]): string[] => members.filter((name) => !name.endsWith('otel_dump'))

const startOf = (project: Project, prefix: string) => ({
  ...{ project_id: project.id, id: 'a', trace_id: 't', op_name: 'answer', started_at: '2026-01-01T00:00:00Z' },
  ...{ inputs: free(`${prefix}inputs`), attributes: { mine: free(`${prefix}attributes`) } },
  otel_dump: free(`${prefix}otel_dump`),
})

// The server adds members of its own to the attributes and the summary.
const endOf = (project: Project, prefix: string) => ({
  ...{ project_id: project.id, id: 'a', ended_at: '2026-01-01T00:00:01Z' },
  ...{ output: free(`${prefix}output`), summary: { mine: free(`${prefix}summary`) } },
})

const columns = ['inputs', 'attributes', 'output', 'summary']

/** The call in each format, its values as JSON text. */
async function textsOf(project: Project): Promise<Record<string, string>> {
  const { client } = project
  const as = async (accept: string, asked = {}) => await project.ask(asked, accept)
  const cellsOf = async (accept: string, delimiter: ',' | '\t') =>
    parseDelimited(textOf(await as(accept, { columns })), delimiter)
      .flat()
      .join('\n')
  const arrow = tableFromIPC((await as('application/vnd.apache.arrow.stream')).bytes)
  return {
    'call/read': await send(client, '/call/read', { project_id: project.id, id: 'a' }),
    'calls/query': await send(client, '/calls/query', { project_id: project.id }),
    'the stream as JSON lines': textOf(await as('application/jsonl')),
    'the stream as JSON': textOf(await as('application/json')),
    'the stream as CSV': await cellsOf('text/csv', ','),
    'the stream as TSV': await cellsOf('text/tab-separated-values', '\t'),
    'the stream as Arrow': [...arrow].flatMap((row) => Object.values(row!.toJSON()).map(String)).join('\n'),
  }
}

/** The call before and after its row has moved to a data file. */
async function everywhere(project: Project, members: readonly string[]): Promise<Shown[]> {
  const inMemory = shown(shownMembers(members), await textsOf(project))
  await send(project.client, '/flush', {})
  const inFile = shown(shownMembers(members), await textsOf(project))
  return [...inMemory, ...inFile.map(({ place, ...same }) => ({ ...same, place: `${place}, after a flush` }))]
}

async function piecesOf(project: Project, prefix: string): Promise<Shown[]> {
  const names = ['inputs', 'attributes', 'output']
  const pieceOf = async (path: string) => {
    const { text } = JSON.parse(
      await send(project.client, '/call/value', { project_id: project.id, call_id: 'a', path }),
    ) as { text: string }
    return text
  }
  return await Promise.all(
    names.map(async (name) => ({ place: 'call/value', text: await pieceOf(name), members: [prefix + name] })),
  )
}

/** The call as it is forwarded to another backend. */
async function forwarded(project: Project, prefix: string): Promise<Shown[]> {
  using collector = new StubCollector()
  const action = { kind: 'forward', url: collector.url }
  await new Rules(project).create({ action })
  const now = Date.now()
  const times = { started_at: new Date(now - 1000).toISOString(), ended_at: new Date(now).toISOString() }
  const { otel_dump: _, ...call } = { ...startOf(project, prefix), ...endOf(project, prefix), ...times, id: 'b' }
  await send(project.client, project.v2('calls/complete'), { batch: [call] })
  await until(() => sentSpans(collector).length > 0)
  const text = sentSpans(collector)
    .flatMap(({ attributes }) => Object.values(attributes).map((value) => String(value['stringValue'])))
    .join('\n')
  return shown(under(prefix, ['inputs', 'attributes', 'output']), { 'the forwarded span': text })
}

const startCase = (pathOf: (project: Project) => string): Case => {
  const members = under('start.', startMembers)
  return {
    members,
    run: async (project) => {
      await send(project.client, pathOf(project), { start: startOf(project, 'start.') })
      return await everywhere(project, members)
    },
  }
}

const endCase = (pathOf: (project: Project) => string): Case => {
  const members = under('end.', endMembers)
  return {
    members,
    run: async (project) => {
      await send(project.client, '/call/start', { start: startOf(project, 'start.') })
      await send(project.client, pathOf(project), { end: endOf(project, 'end.') })
      return await everywhere(project, members)
    },
  }
}

/** Operations that write calls. */
export const callCases: Readonly<Record<string, Case>> = {
  'POST /call/start': startCase(() => '/call/start'),
  'POST /v2/{entity}/{project}/call/start': startCase((project) => project.v2('call/start')),
  'POST /call/end': endCase(() => '/call/end'),
  'POST /v2/{entity}/{project}/call/end': endCase((project) => project.v2('call/end')),
  'POST /call/upsert_batch': {
    members: [...under('batch.[].req.start.', startMembers), ...under('batch.[].req.end.', endMembers)],
    run: async (project) => {
      const start = { mode: 'start', req: { start: startOf(project, 'batch.[].req.start.') } }
      const end = { mode: 'end', req: { end: endOf(project, 'batch.[].req.end.') } }
      await send(project.client, '/call/upsert_batch', { batch: [start, end] })
      const names = [...under('batch.[].req.start.', startMembers), ...under('batch.[].req.end.', endMembers)]
      return await everywhere(project, names)
    },
  },
  'POST /v2/{entity}/{project}/calls/complete': {
    members: under('batch.[].', [...startMembers, ...endMembers]),
    run: async (project) => {
      const call = { ...startOf(project, 'batch.[].'), ...endOf(project, 'batch.[].') }
      await send(project.client, project.v2('calls/complete'), { batch: [call] })
      const places = await everywhere(project, under('batch.[].', [...startMembers, ...endMembers]))
      return [...places, ...(await piecesOf(project, 'batch.[].')), ...(await forwarded(project, 'batch.[].'))]
    },
  },
}
