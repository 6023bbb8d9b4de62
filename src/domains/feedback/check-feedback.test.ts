import { expect, test } from 'bun:test'
import type { ProjectReader } from '../access/caller.ts'
import { rememberedReferences } from './check-feedback.ts'

test('each reference is looked up once in its project', async () => {
  const looked: string[] = []
  const references = rememberedReferences({
    findAnnotationSchema: async ({ projectId }, ref) => {
      looked.push(`${projectId} ${ref}`)
      return projectId === 'a/b'
    },
    hasQueue: async ({ projectId }, id) => {
      looked.push(`${projectId} ${id}`)
      return id === 'q'
    },
  })
  const [here, there] = ['a/b', 'a/c'].map((projectId) => ({ projectId }) as ProjectReader) as [
    ProjectReader,
    ProjectReader,
  ]
  for (let round = 0; round < 3; round++) {
    expect(await references.findAnnotationSchema(here, 'r')).toBe(true)
    expect(await references.findAnnotationSchema(there, 'r')).toBe(false)
    expect(await references.hasQueue(here, 'q')).toBe(true)
    expect(await references.hasQueue(here, 'r')).toBe(false)
  }
  expect(looked).toEqual(['a/b r', 'a/c r', 'a/b q', 'a/b r'])
})
