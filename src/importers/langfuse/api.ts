import { systemOutboundHttp } from '../../http/outbound-http.ts'
import { datasetRecord } from '../evaluation/dataset.ts'
import type { ImportRecord } from '../record.ts'
import { ServerClient } from '../sender/server-client.ts'
import type { ImportInput, Part } from '../source.ts'
import { langfuseRecords } from './records.ts'

type Members = Record<string, unknown>

const pageSize = 50

/** What the public API of Langfuse offers: traces with observations and scores, and datasets. */
export async function* langfuseApiParts({ place, key }: ImportInput): AsyncGenerator<Part> {
  if (key?.includes(':') !== true) throw new Error('Langfuse needs its two keys: --source-key PUBLIC:SECRET')
  const client = new ServerClient({ url: place, key, project: '' }, systemOutboundHttp, () => {})
  const origin = { source: 'langfuse', version: 'api', file: place }
  yield { name: 'traces', version: '1', records: () => traces(client, origin) }
  yield { name: 'datasets', version: '1', records: () => datasets(client) }
}

/** Oldest first, so that traces which arrive in the meantime come last. */
async function* traces(
  client: ServerClient,
  origin: Parameters<typeof langfuseRecords>[1],
): AsyncGenerator<ImportRecord> {
  for await (const { id } of pages(client, '/api/public/traces?orderBy=timestamp.asc')) {
    const trace = await read(client, `/api/public/traces/${encodeURIComponent(String(id))}`)
    yield* langfuseRecords({ observations: [], ...trace }, origin)
  }
}

async function* datasets(client: ServerClient): AsyncGenerator<ImportRecord> {
  for await (const { name, description } of pages(client, '/api/public/v2/datasets?')) {
    const rows: Members[] = []
    for await (const item of pages(
      client,
      `/api/public/dataset-items?datasetName=${encodeURIComponent(String(name))}`,
    )) {
      if (item['status'] === 'ARCHIVED') continue
      rows.push({ input: item['input'], expected_output: item['expectedOutput'], metadata: item['metadata'] })
    }
    yield datasetRecord({ name: String(name), description: typeof description === 'string' ? description : null, rows })
  }
  let prompts = 0
  for await (const _ of pages(client, '/api/public/v2/prompts?')) prompts++
  if (prompts > 0) yield { kind: 'loss', what: 'prompts', count: prompts }
}

async function* pages(client: ServerClient, path: string): AsyncGenerator<Members> {
  for (let page = 1; ; page++) {
    const { data } = await read(client, `${path}&page=${page}&limit=${pageSize}`)
    const list = Array.isArray(data) ? (data as Members[]) : []
    yield* list
    if (list.length < pageSize) return
  }
}

async function read(client: ServerClient, path: string): Promise<Members> {
  const { status, text } = await client.get(path.replace('?&', '?'))
  if (status >= 400) throw new Error(`Langfuse answered ${status} to ${path}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Members
}
