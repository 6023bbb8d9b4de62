import { expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

interface Description {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, unknown> } }>>
}

const { json } = await server.get<Description>('/openapi.json')
const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { requestBody }]) => requestBody !== undefined && 'application/json' in requestBody.content)
    .map(([method]) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x') })),
)

test('members inside "__proto__" are not members of the body, in any operation', async () => {
  expect(operations.length).toBeGreaterThan(60)
  const { id } = freshProject(server)
  const members = { project_id: id, id: 'x', digest: 'x', call_ids: ['x'], start: '2026-01-01T00:00:00Z', limit: 1 }
  const hostile = `{"__proto__":${JSON.stringify(members)}}`
  for (const { method, path } of operations) {
    const send = (body: string) => server.send(method.toUpperCase(), path, body, jsonHeaders)
    const plain = await send('{}')
    // Elsewhere an empty body is enough, or is no JSON of this kind.
    if (plain.status !== 422) continue
    expect([path, (await send(hostile)).json]).toEqual([path, plain.json])
  }
})

const jsonHeaders = { headers: { 'content-type': 'application/json' } }
