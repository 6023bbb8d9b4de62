import { expect, test } from 'bun:test'
import { changedPart, contentPartsOf, contentWith, imagePart, plainText, textPart } from './content-parts.ts'

const audio = '{ "type": "input_audio",  "gain": 1.0, "id": 12345678901234567890, "gain": 2.50 }'
const content = `[
  {"cache_control": {"type": "ephemeral"}, "type": "text", "text": "Was ist \\u00e9?"},
  ${audio},
  {"type": "image_url", "image_url": {"detail": "low", "url": "https://x/y.png"}},
  {"type": "tool_result", "tool_use_id": "t1", "content": "found", "is_error": false}
]`

test('a part is edited, and everything else stays to the letter', () => {
  const parts = contentPartsOf(content) ?? []
  expect(parts.map(({ type }) => type)).toEqual(['text', 'other', 'image', 'result'])
  const next = contentWith(
    parts.map((part) =>
      changedPart(part, { text: 'Why "so"?\n', image: 'https://z', result: 'none', other: 'never' }[part.type]),
    ),
  )
  expect(next).toBe(`[
  {"cache_control": {"type": "ephemeral"}, "type": "text", "text": "Why \\"so\\"?\\n"},
  ${audio},
  {"type": "image_url", "image_url": {"detail": "low", "url": "https://z"}},
  {"type": "tool_result", "tool_use_id": "t1", "content": "none", "is_error": false}
]`)
  expect(contentPartsOf(next)?.map((part) => ('text' in part ? part.text : ''))).toEqual([
    'Why "so"?\n',
    '',
    '',
    'none',
  ])
})

test('parts are added, moved and removed; a single text needs no parts', () => {
  const parts = [textPart('a'), imagePart('data:image/png;base64,AA')]
  expect(JSON.parse(contentWith(parts.toReversed()))).toEqual([
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    { type: 'text', text: 'a' },
  ])
  expect(plainText(parts)).toBeUndefined()
  expect(plainText(parts.slice(0, 1))).toBe('a')
  expect(plainText(contentPartsOf('[{"type":"text","text":"a","cache_control":{}}]') ?? [])).toBeUndefined()
  expect(contentWith([])).toBe('[]')
})

test.each(['{"type":"text"}', '[{"type":', 'null', ''])('%s is no list of parts', (text) => {
  expect(contentPartsOf(text)).toBeUndefined()
})

test.each(['[]', '[1, "a", null, [2]]', ' [ {"type":"text","text":1} ] '])('%s stays as it is', (text) => {
  const parts = contentPartsOf(text) ?? []
  expect(parts.every(({ type }) => type === 'other')).toBe(true)
  expect(JSON.parse(contentWith(parts))).toEqual(JSON.parse(text))
})
