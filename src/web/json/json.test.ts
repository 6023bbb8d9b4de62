import { describe, expect, test } from 'bun:test'
import { asJavaScript, asPython } from './as-code.ts'
import { findInText } from './find.ts'
import { JsonDocument } from './json-document.ts'
import { pathOf } from './json-paths.ts'
import { embeddedMedia } from './media.ts'
import { ContainerScan } from './scan.ts'
import { stringText } from './string-text.ts'
import { matchesMax } from './use-find.ts'

const members = (text: string, pieces = 7) => {
  const scan = new ContainerScan(text, 0)
  while (scan.run(text, pieces)) {}
  const { entries } = scan
  return Array.from({ length: entries.length }, (_, index) => [
    text.slice(entries.key.at(index), entries.keyEnd.at(index)),
    text.slice(entries.start.at(index), entries.end.at(index)),
    entries.count.at(index),
  ])
}

const render = (document: JsonDocument) =>
  Array.from({ length: document.lineCount }, (_, number) => {
    const line = document.lineAt(number)!
    const { entries, lines, media } = line.node
    const indent = '  '.repeat(line.depth)
    if (line.index < 0) return `${indent}end`
    if (lines) return indent + document.text.slice(lines.start.at(line.index), lines.endOf(line.index))
    if (media) return indent
    const opened = document.openedAt(line.node, line.index)
    return (
      indent +
      document.text.slice(
        entries.key.at(line.index),
        opened ? entries.start.at(line.index) + 1 : entries.end.at(line.index),
      )
    )
  })

describe('scan', () => {
  test('keeps numbers, order and duplicate keys as sent', () => {
    expect(members('{"b": 1194.00, "a":9007199254740993 ,"b":{"x":[1,2],"y":{}}, "e": [ ], "t": "q\\"}]"}')).toEqual([
      ['"b"', '1194.00', 0],
      ['"a"', '9007199254740993', 0],
      ['"b"', '{"x":[1,2],"y":{}}', 2],
      ['"e"', '[ ]', 0],
      ['"t"', '"q\\"}]"', 0],
    ])
    expect(members('[true,"\\\\",[[1],[2],[3]],-1e5]')).toEqual([
      ['', 'true', 0],
      ['', '"\\\\"', 0],
      ['', '[[1],[2],[3]]', 3],
      ['', '-1e5', 0],
    ])
  })

  test('finds the same whatever the size of the pieces, and goes on when more text comes', () => {
    const text = '{"a":[1,{"b":"\\\\\\"x"}],"c\\"":"long string, with [brackets]","d":null}'
    for (let pieces = 1; pieces < 20; pieces++) expect(members(text, pieces)).toEqual(members(text, 1000))
    for (let cut = 1; cut < text.length; cut++) {
      const scan = new ContainerScan(text, 0)
      scan.run(text.slice(0, cut), 1000)
      expect(scan.isDone).toBe(false)
      scan.run(text, 1000)
      expect(scan.isDone).toBe(true)
      expect(scan.entries.length).toBe(3)
      expect(text.slice(scan.entries.start.at(1), scan.entries.end.at(1))).toBe('"long string, with [brackets]"')
    }
  })
})

describe('document', () => {
  test('shows one line an entry, opens and closes', () => {
    const document = new JsonDocument('{"a":[1,2],"b":{"c":true},"d":"x"}')
    const root = document.open(document.top, 0)!
    expect(render(document)).toEqual(['{', '  "a":[1,2]', '  "b":{"c":true}', '  "d":"x"', 'end'])
    const second = document.open(root, 1)!
    document.open(root, 0)
    expect(render(document)).toEqual([
      '{',
      '  "a":[',
      '    1',
      '    2',
      '  end',
      '  "b":{',
      '    "c":true',
      '  end',
      '  "d":"x"',
      'end',
    ])
    expect(pathOf(document, second, 0)).toBe('b.c')
    for (let number = 0; number < document.lineCount; number++) {
      const { node, index } = document.lineAt(number)!
      if (index >= 0) expect(document.lineNumberOf(node, index)).toBe(number)
    }
    document.closeEntry(root, 0)
    expect(document.lineCount).toBe(7)
  })

  test('breaks opened strings into lines without splitting escapes', () => {
    const document = new JsonDocument(JSON.stringify('one two three\nfour "five" é😀'), { columns: 8 })
    document.open(document.top, 0)
    expect(
      render(document)
        .slice(1)
        .map((line) => line.trimStart()),
    ).toEqual(['one two ', 'three\\n', 'four ', '\\"five\\" ', 'é😀'])
  })

  test('reveals a position in what was never opened', async () => {
    const text = JSON.stringify({ rows: Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` })), last: 1 })
    const document = new JsonDocument(text)
    const number = await document.reveal(text.indexOf('row 4321'))
    const { node, index } = document.lineAt(number)!
    expect(pathOf(document, node, index)).toBe('rows[4321].name')
  })

  test('shows the beginning of a truncated text, and the rest when it arrives', async () => {
    const text = JSON.stringify({ a: { b: [1, 2, 3] }, c: 'x'.repeat(50), d: 4 })
    const document = new JsonDocument(text.slice(0, 30))
    document.openSmall(100, 1000)
    expect(render(document)[0]).toBe('{')
    document.extend(text)
    await document.settle()
    expect(render(document).at(-2)).toBe('  "d":4')
  })

  test('finds files that custom values name', () => {
    const digest = 'Qm3kPz8f1aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567'
    const files = { 'a.png': digest }
    const image = { _type: 'CustomExtType', ext_type: { type: 'PIL' }, files }
    const text = JSON.stringify({ image, files: { x: digest } })
    const document = new JsonDocument(text)
    document.openSmall(100, 1000)
    const media: string[] = []
    for (let number = 0; number < document.lineCount; number++) {
      const { node, index } = document.lineAt(number)!
      if (index >= 0 && !node.media && document.mediaOf(node, index)) media.push(pathOf(document, node, index))
    }
    expect(media).toEqual(['image.files["a.png"]'])
    expect(render(document).length).toBeGreaterThan(15)
  })

  test('20 MB: the first lines need the beginning only, the rest comes in pieces', async () => {
    const row = JSON.stringify({ id: 1, name: 'someone', text: 'lorem "ipsum" '.repeat(40), tags: [1, 2, 3] })
    const text = `[${`${row},`.repeat(30_000)}${row}]`
    expect(text.length).toBeGreaterThan(18_000_000)
    let news = 0
    const document = new JsonDocument(text, { onChange: () => news++ })
    document.openSmall(200, 4000)
    const root = document.openedAt(document.top, 0)!
    expect(root.scan!.at).toBeLessThan(300_000)
    expect(document.lineCount).toBeGreaterThan(200)
    const atFirst = news
    await document.settle()
    expect(root.entries.length).toBe(30_001)
    expect(news).toBeGreaterThan(atFirst)
  })
})

describe('find', () => {
  const find = async (text: string, needle: string) => {
    const found: string[] = []
    for await (const matches of findInText(text, needle, { matchesMax, signal: new AbortController().signal })) {
      found.push(...matches.map(({ start, end }) => text.slice(start, end)))
    }
    return found
  }

  test('matches plain and escaped spellings, ignoring case', async () => {
    expect(await find('["Caf\\u00E9","CAFÉ","cafe"]', 'café')).toEqual(['Caf\\u00E9', 'CAFÉ'])
    expect(await find('{"q":"say \\"hi\\"\\n"}', '"hi"\n')).toEqual(['\\"hi\\"\\n'])
    expect(await find('a.b axb', 'a.b')).toEqual(['a.b'])
  })

  test('finds each match once across windows', async () => {
    const text = `${'x'.repeat(512 * 1024 - 2)}needle${'y'.repeat(600_000)}needle`
    expect(await find(text, 'needle')).toEqual(['needle', 'needle'])
  })
})

test('media are told by their first bytes', () => {
  const of = (bytes: readonly number[], prefix = '') => {
    const base64 = btoa(String.fromCharCode(...bytes, ...Array.from({ length: 90 }, () => 7)))
    const text = JSON.stringify(prefix + base64)
    return embeddedMedia(text, 0, text.length)?.type
  }
  expect(of([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])).toBe('image/png')
  expect(of([0xff, 0xd8, 0xff, 0xe0], 'data:image/jpeg;base64,')).toBe('image/jpeg')
  expect(of([...Buffer.from('RIFF1234WAVEfmt ')])).toBe('audio/wav')
  expect(of([...Buffer.from('RIFF1234WEBPVP8 ')])).toBe('image/webp')
  expect(of([...Buffer.from('just some words that are no media')])).toBeUndefined()
  expect(of([...Buffer.from('<svg onload=alert(1)>')], 'data:image/svg+xml;base64,')).toBeUndefined()
})

test('strings are decoded, also when they are cut off', () => {
  expect(stringText('"a\\u00e9\\n\\"b"', 0, 13)).toBe('aé\n"b')
  expect(stringText('"abc\\u00', 0, 8)).toBe('abc')
  expect(stringText('"abc\\"', 0, 6)).toBe('abc"')
})

test('values become code', () => {
  const json = '{"a": true, "b": [null, 1194.00, 9007199254740993], "s": "\\/ \\ud83d\\ude00 \\"x\\"\\n", "n": -1}'
  expect(asPython(json)).toBe('{"a": True, "b": [None, 1194.00, 9007199254740993], "s": "/ 😀 \\"x\\"\\n", "n": -1}')
  expect(asJavaScript(json)).toBe(
    '{"a": true, "b": [null, 1194.00, 9007199254740993n], "s": "/ 😀 \\"x\\"\\n", "n": -1}',
  )
  expect(asJavaScript('{"__proto__": 1, "x": "__proto__"}')).toBe('{["__proto__"]: 1, "x": "__proto__"}')
})
