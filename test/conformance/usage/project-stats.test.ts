import { expect, test } from 'bun:test'
import { upload } from '../support/files.ts'
import { ProjectObjects } from '../support/objects.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { Tables } from '../support/tables.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()
const ask = (project_id: string, more: Record<string, unknown> = {}) =>
  server.post<Record<string, number>>('/project/stats', { project_id, ...more })

const nothing = {
  trace_storage_size_bytes: 0,
  objects_storage_size_bytes: 0,
  tables_storage_size_bytes: 0,
  files_storage_size_bytes: 0,
}

test('sums up the storage of a project by kind', async () => {
  const project = freshProject(server)
  expect((await ask(project.id)).json).toEqual(nothing)
  const draft = { inputs: { a: 'x'.repeat(1000) }, attributes: {}, output: 'yes', summary: {} }
  await project.add({ id: 'a', ...draft }, { id: 'b', ...draft })
  const objects = new ProjectObjects(server, project.id)
  await objects.createAll('one', { n: 1 }, { n: 22 })
  await objects.create('other', 'abc')
  await new Tables(project).create([{ a: 1 }, { a: 1 }, { a: 2 }])
  expect((await upload(project, { content: 'hello' })).status).toBe(200)
  expect((await ask(project.id)).json).toEqual({
    trace_storage_size_bytes: 2 * ('{"a":""}'.length + 1000 + '{}'.length + '"yes"'.length + '{}'.length),
    objects_storage_size_bytes: '{"n":1}{"n":22}"abc"'.length,
    tables_storage_size_bytes: '{"a":1}{"a":2}'.length,
    files_storage_size_bytes: 'hello'.length,
  })
  await objects.delete('one')
  await project.delete('a')
  expect((await ask(project.id)).json).toMatchObject({
    trace_storage_size_bytes: 1017,
    objects_storage_size_bytes: '"abc"'.length,
  })
})

test('omits unrequested sizes, and rejects a request for none', async () => {
  const objects = new ProjectObjects(server)
  await objects.create('a', 'abc')
  const { projectId } = objects
  expect((await ask(projectId, { include_object_storage_size: false })).json).toEqual(nothing)
  expect((await ask(projectId, { include_file_storage_size: false, include_table_storage_size: null })).json).toEqual({
    ...nothing,
    objects_storage_size_bytes: 5,
  })
  const none = {
    include_trace_storage_size: false,
    include_object_storage_size: false,
    include_table_storage_size: false,
    include_file_storage_size: false,
  }
  expectRefusal(await ask(projectId, none), 400, 'include_trace_storage_size')
  expectInvalid(await ask('no-project'), ['body', 'project_id'])
})
