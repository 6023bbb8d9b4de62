import { expect, test } from 'bun:test'
import { dialects } from '../../src/formats/dialect/dialect.ts'
import { openFuzzApp } from '../fuzz/fuzz-app.ts'
import { operationsOver } from './all-operations.ts'

const app = await openFuzzApp()
const operations = operationsOver(app.context)(dialects.ext)

/** Operations that answer without a key, and why. */
const open: Readonly<Record<string, string>> = {
  'GET /health': 'load balancers have no key',
  'GET /version': 'clients ask before they have one',
  'GET /server_info': 'clients ask before they have one',
  'GET /skill.md': 'it is a document',
  'GET /docs': 'it is a document',
  'GET /docs/start.js': 'it belongs to a document',
  'GET /docs/swagger-ui-bundle.js': 'it belongs to a document',
  'GET /docs/swagger-ui.css': 'it belongs to a document',
  'GET /openapi.json': 'it is a document',
}

const pathOf = (path: string): string => path.replaceAll(/:\w+\??/g, 'acme').replaceAll('*', 'acme')
const status = async (method: string, path: string, headers: Record<string, string>): Promise<number> => {
  const body = method === 'POST' || method === 'PUT' ? '{}' : null
  const sent = { ...headers, 'content-type': 'application/json' }
  return (await app.send(pathOf(path), { method, headers: sent, body })).status
}

test('every operation needs a key, but for those that say why not', async () => {
  const answered: string[] = []
  for (const { method, path } of operations)
    if ((await status(method, path, { authorization: '' })) !== 401) answered.push(`${method} ${path}`)
  const name = 'answers without a key; if it has to, name it with a reason in test/operations/access.test.ts'
  expect({ [name]: answered.filter((operation) => open[operation] === undefined) }).toEqual({ [name]: [] })
  const gone = Object.keys(open).filter((operation) => !answered.includes(operation))
  expect({ 'needs a key now; remove it from the list': gone }).toEqual({
    'needs a key now; remove it from the list': [],
  })
})

test('every operation that writes refuses a key with the role read', async () => {
  const made = await app.post<{ key: string }>('/keys/create', { name: 'reader', role: 'read', scope: '*' })
  const authorization = `Bearer ${made.key}`
  const wrong: string[] = []
  for (const { method, path, hooks } of operations) {
    if (method === 'GET' || hooks.detail?.readOnly === true) continue
    if ((await status(method, path, { authorization })) !== 403) wrong.push(`${method} ${path}`)
  }
  const name = 'may be called by a key with the role read; set `readOnly` in the `detail` of its route, or refuse it'
  expect({ [name]: wrong }).toEqual({ [name]: [] })
})

test('every operation is described: by an id, a summary and a tag', () => {
  const bare = operations
    .filter(({ hooks }) => hooks.detail?.hide !== true)
    .filter(({ hooks: { detail } }) => !detail?.operationId || !detail.summary || !detail.tags?.length)
    .map(({ method, path }) => `${method} ${path}`)
  const name = 'set `operationId`, `summary` and `tags` in the `detail` of its route'
  expect({ [name]: bare }).toEqual({ [name]: [] })
})
