import type { BenchServer } from '../bench-server.ts'
import { postRequest } from '../http/requests.ts'
import type { Kind } from '../ingest/row-life.ts'
import { project } from '../payload/calls.ts'

const projects: Record<Kind, string> = { calls: project, spans: 'bench/spans' }
const sortedNewest = [{ field: 'started_at', direction: 'desc' }]

/** A page, single calls and a count, by name, so many times each. */
export async function questionRequests(
  server: BenchServer,
  kind: Kind,
  times: number,
): Promise<ReadonlyMap<string, Uint8Array[]>> {
  const project_id = projects[kind]
  const ids = await someIds(server, project_id)
  const repeated = (path: string, bodyOf: (time: number) => object) =>
    Array.from({ length: times }, (_, time) =>
      postRequest(server, path, JSON.stringify({ project_id, ...bodyOf(time) })),
    )
  return new Map([
    ['a page', repeated('/calls/stream_query', () => ({ sort_by: sortedNewest, limit: 50 }))],
    ['a read by id', repeated('/call/read', (time) => ({ id: ids[(time * 7919) % ids.length] }))],
    [
      'a count',
      repeated('/calls/query_stats', (time) => ({
        query: { $expr: { $gt: [{ $getField: 'started_at' }, { $literal: time }] } },
      })),
    ],
  ])
}

async function someIds({ url, key }: BenchServer, project_id: string): Promise<string[]> {
  const answer = await fetch(`${url}/calls/stream_query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id, columns: ['id'], limit: 10_000 }),
  })
  const lines = (await answer.text()).split('\n').filter(Boolean)
  return lines.map((line) => String((JSON.parse(line) as { id: string }).id))
}
