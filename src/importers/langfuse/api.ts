import type { ImportRecord } from '../record.ts'
import type { ImportInput, Origin, Part } from '../source.ts'
import { LangfuseApi } from './api-client.ts'
import { apiDatasets } from './api-datasets.ts'
import { apiPrompts } from './api-prompts.ts'
import { langfuseRecords } from './records.ts'

/** What the public API of Langfuse offers: traces with their scores, datasets, prompts. */
export async function* langfuseApiParts({ place, key }: ImportInput): AsyncGenerator<Part> {
  if (key?.includes(':') !== true) throw new Error('Langfuse needs its two keys: --source-key PUBLIC:SECRET')
  const api = new LangfuseApi(place, key)
  const origin = { source: 'langfuse', version: 'api', file: place }
  yield { name: 'traces', version: '1', records: () => traces(api, origin) }
  yield { name: 'datasets', version: '2', records: () => apiDatasets(api, origin) }
  yield { name: 'prompts', version: '1', records: () => apiPrompts(api) }
}

/** Oldest first, so that traces which arrive in the meantime come last. */
async function* traces(api: LangfuseApi, origin: Origin): AsyncGenerator<ImportRecord> {
  for await (const { id } of api.list('/api/public/traces', { orderBy: 'timestamp.asc' })) {
    const trace = await api.read(`/api/public/traces/${encodeURIComponent(String(id))}`)
    yield* langfuseRecords({ observations: [], ...trace }, origin)
  }
}
