import { expect, test } from 'bun:test'
import { ProjectObjects } from '../support/objects.ts'
import { expectRefusal } from '../support/refusals.ts'
import { sharedServer } from '../support/target.ts'

const server = await sharedServer()

const annotate = (objects: ProjectObjects, name: string, version: string, value: unknown) =>
  server.post('/feedback/create', {
    project_id: objects.projectId,
    ext_ref: `ext:///${objects.projectId}/call/c`,
    feedback_type: `ext.annotation.${name}`,
    annotation_ref: `ext:///${objects.projectId}/object/${name}:${version}`,
    payload: { value },
  })

test('annotation values must match their spec', async () => {
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
  expectRefusal(await annotate(objects, 'score', digest, 3), 400, 'does not exist')
})

test('a spec without a schema accepts any value; an object that is not a spec accepts none', async () => {
  const objects = new ProjectObjects(server)
  await objects.create('any', {}, { builtin_object_class: 'AnnotationSpec' })
  expect((await annotate(objects, 'any', 'latest', { x: [1] })).status).toBe(200)
  await objects.create('plain', { field_schema: {} })
  expectRefusal(await annotate(objects, 'plain', 'latest', 1), 400, 'does not exist')
  expectRefusal(await annotate(objects, 'missing', 'latest', 1), 400, 'does not exist')
})

const annotateRaw = (objects: ProjectObjects, name: string, value: string) =>
  server.postRaw(
    '/feedback/create',
    `{"project_id": "${objects.projectId}", "ext_ref": "ext:///${objects.projectId}/call/c", "feedback_type": "ext.annotation.${name}",
      "annotation_ref": "ext:///${objects.projectId}/object/${name}:latest", "payload": {"value": ${value}}}`,
  )

test('numbers are validated by value, however they are written', async () => {
  const objects = new ProjectObjects(server)
  const created = await server.postRaw(
    '/obj/create',
    `{"obj": {"project_id": "${objects.projectId}", "object_id": "share", "builtin_object_class": "AnnotationSpec",
      "val": {"field_schema": {"type": "number", "minimum": 0.0, "maximum": 1.0}}}}`,
  )
  expect(created.status).toBe(200)
  for (const value of ['0', '0.0', '1.0', '1e0']) expect((await annotateRaw(objects, 'share', value)).status).toBe(200)
  for (const value of ['2', '2.0', '-1.0']) expectRefusal(await annotateRaw(objects, 'share', value), 400, 'value')
})

test('no schema blocks or crashes the server', async () => {
  const objects = new ProjectObjects(server)
  const doubling: Record<string, object> = { a50: { type: 'number' } }
  for (let i = 0; i < 50; i++) {
    const next = { $ref: `#/definitions/a${i + 1}` }
    doubling[`a${i}`] = { allOf: [next, next] }
  }
  const schemas = {
    async: { $async: true, type: 'object' },
    endless: { allOf: [{ $ref: '#' }] },
    doubling: { definitions: doubling, $ref: '#/definitions/a0' },
  }
  for (const [name, field_schema] of Object.entries(schemas)) {
    await objects.create(name, { field_schema }, { builtin_object_class: 'AnnotationSpec' })
    expectRefusal(await annotate(objects, name, 'latest', 1), 400, 'value')
  }
  expect((await server.get('/health')).status).toBe(200)
})
