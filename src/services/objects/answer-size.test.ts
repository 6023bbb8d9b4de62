import { expect, test } from 'bun:test'
import { limits } from '../../limits.ts'
import { checkAnswerSize } from './answer-size.ts'

test('contents that are too much for one answer are refused, deleted ones not counted', () => {
  const half = { sizeBytes: limits.objectsAnswerBytesMax / 2, deletedAt: null }
  checkAnswerSize([])
  checkAnswerSize([half, half, { ...half, deletedAt: 1 }])
  expect(() => checkAnswerSize([half, half, { ...half, sizeBytes: 1 }])).toThrow('metadata_only')
})
