import { expect, test } from 'bun:test'
import { freshProject, sharedServer } from '../support/target.ts'

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const client = await sharedServer()
const { json: description } = await client.get<Description>('/openapi.json')
const withoutBody = Object.entries(description.paths).flatMap(([path, operations]) =>
  (['get', 'delete'] as const).filter((method) => method in operations).map((method) => [method, path] as const),
)

test('there are operations without a body', () => {
  expect(withoutBody.length).toBeGreaterThan(20)
})

// Deleting everything of an object where nothing is named would be the wrong way to leave a
// misspelt name alone.
const deletesAll = /\/\{object_id\}$/
const lenient = withoutBody.filter(([method, path]) => !(method === 'delete' && deletesAll.test(path)))

test.each(lenient)('%s %s ignores an unknown parameter', async (method, path) => {
  const { id } = freshProject(client)
  const [entity, project] = id.split('/') as [string, string]
  const filled = path
    .replace('{entity}', entity)
    .replace('{project}', project)
    .replaceAll(/\{\w+\}/g, 'none')
  // The stream of a live tail does not end by itself.
  const required = path === '/calls/live' ? '' : `project_id=${encodeURIComponent(id)}&`
  const { status, text } = await client[method](`${filled}?${required}from_a_newer_client=1`)
  expect(status).not.toBe(500)
  expect(text).not.toContain('from_a_newer_client')
})
