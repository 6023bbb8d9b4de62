import { expect, test } from 'bun:test'
import { ProjectObjects } from './objects.ts'
import { expectRefusal } from './refusals.ts'
import { sharedServer } from './target.ts'

const server = await sharedServer()

const annotate = (objects: ProjectObjects, name: string, version: string, value: unknown) =>
  server.post('/feedback/create', {
    project_id: objects.projectId,
    ext_ref: `ext:///${objects.projectId}/call/c`,
    feedback_type: `ext.annotation.${name}`,
    annotation_ref: `ext:///${objects.projectId}/object/${name}:${version}`,
    payload: { value },
  })

test('values of annotations have to fit their spec', async () => {
  const objects = new ProjectObjects(server)
  const digest = await objects.create(
    'score',
    { field_schema: { type: 'integer', minimum: 1, maximum: 5 } },
    { builtin_object_class: 'AnnotationSpec' },
  )
  for (const version of [digest, 'latest', 'v0']) {
    expect((await annotate(objects, 'score', version, 3)).status).toBe(200)
    expectRefusal(await annotate(objects, 'score', version, 6), 400, 'value')
    expectRefusal(await annotate(objects, 'score', version, 'three'), 400, 'value')
  }
  await objects.delete('score')
  expectRefusal(await annotate(objects, 'score', digest, 3), 400, 'no object')
})

test('a spec without a schema takes any value, and what is no spec takes none', async () => {
  const objects = new ProjectObjects(server)
  await objects.create('any', {}, { builtin_object_class: 'AnnotationSpec' })
  expect((await annotate(objects, 'any', 'latest', { x: [1] })).status).toBe(200)
  await objects.create('plain', { field_schema: {} })
  expectRefusal(await annotate(objects, 'plain', 'latest', 1), 400, 'no object')
  expectRefusal(await annotate(objects, 'missing', 'latest', 1), 400, 'no object')
})
