import { expect, test } from 'bun:test'
import type { ProjectReader } from '../../access/caller.ts'
import { checkFeedback } from '../../feedback/check-feedback.ts'
import { schemaFault } from './judges.ts'

const annotationFault = (schema: unknown, value: unknown) => schemaFault(schema, [value])

test.each([
  [{ type: 'integer', minimum: 1, maximum: 5 }, 3],
  [{ enum: ['good', 'bad'] }, 'good'],
  [{ type: 'string', format: 'made-up', 'x-own': true }, 'any text'],
  [true, { a: 1 }],
])('schema %j accepts %j', async (schema, value) => {
  expect(await annotationFault(schema, value)).toBeUndefined()
})

test('describes the violation', async () => {
  expect(await annotationFault({ type: 'integer', maximum: 5 }, 6)).toContain('value must be <= 5')
  expect(await annotationFault({ type: 'object', required: ['a'] }, {})).toContain("'a'")
})

test.each([[null], ['text'], [{ type: 'no-such-type' }], [{ $ref: '#/nowhere' }]])(
  '%j is not a schema',
  async (schema) => {
    expect(await annotationFault(schema, 1)).toContain('not a valid JSON Schema')
  },
)

test('schemas with the same $id do not interfere', async () => {
  expect(await annotationFault({ $id: 'form', type: 'string' }, 'a')).toBeUndefined()
  expect(await annotationFault({ $id: 'form', type: 'number' }, 1)).toBeUndefined()
})

test('a schema is compiled once for a thousand annotations', async () => {
  const form = { type: 'object', properties: { stars: { enum: [1, 2, 3] } } }
  for (let i = 0; i < 1_000; i++)
    expect((await annotationFault(form, { stars: i % 3 === 0 ? 4 : 1 })) === undefined).toBe(i % 3 > 0)
}, 120_000)

test('a schema that takes too long is rejected, and the next one still works', async () => {
  // Some 20 times what the limit allows, so that it is too slow on a fast machine as well.
  const words = Array.from({ length: 40 }, (_, i) => `${i * 37}`).join('|')
  const patternProperties = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`^(${words}){1,${900 + (i % 100)}}x${i}$`, { type: 'string' }]),
  )
  const form = { type: 'object', patternProperties }
  for (let again = 0; again < 2; again++) expect(await schemaFault(form)).toContain('too long')
  expect(await schemaFault({ type: 'object' })).toBeUndefined()
}, 120_000)

test('an annotation is validated against the schema that its ref names', async () => {
  const reader = { projectId: 'acme/bot' } as ProjectReader
  const annotation_ref = 'ext:///acme/bot/object/stars:v1'
  const references = {
    findAnnotationSchema: async (_: ProjectReader, ref: string) =>
      ref === annotation_ref ? { type: 'integer', maximum: 5 } : undefined,
    hasQueue: async () => false,
  }
  const give = (value: unknown) =>
    checkFeedback(
      reader,
      {
        project_id: reader.projectId,
        ext_ref: 'r',
        feedback_type: 'ext.annotation.stars',
        payload: { value },
        annotation_ref,
      },
      'ext.annotation.stars',
      references,
    )
  expect(await give(5)).toEqual({ value: 5 })
  expect(await give(6).catch(String)).toContain('<= 5')
})
