import { describe, expect, test } from 'bun:test'
import { codecs, exportOf, groupOf, send, sendRaw, spanOf, toProtobuf } from '../support/otlp.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const client = await sharedServer()

/** Values inside each other. */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { stringValue: 'in' }
  for (let level = 0; level < levels; level++) value = { arrayValue: { values: [value] } }
  return value
}

const damaged: Readonly<Record<string, Record<string, unknown>>> = {
  'without ids': { traceId: '', spanId: '' },
  'with a trace id of zeros': { traceId: '0'.repeat(32) },
  'with a short trace id': { traceId: 'abcd' },
  'with a long span id': { spanId: 'ab'.repeat(16) },
  'with a short parent': { parentSpanId: 'ab' },
  'without times': { startTimeUnixNano: '0', endTimeUnixNano: '0' },
}

const damagedInJson: Readonly<Record<string, unknown>> = {
  'with a value nested too deep': { ...spanOf(), attributes: [{ key: 'deep', value: nested(80) }] },
  'that is a text': 'span',
  'that is null': null,
  'with attributes as an object': { ...spanOf(), attributes: { a: 1 } },
  'with an attribute that is a text': { ...spanOf(), attributes: ['a'] },
  'with a value that is a text': { ...spanOf(), attributes: [{ key: 'a', value: 'b' }] },
  'with an integer that is none': { ...spanOf(), attributes: [{ key: 'a', value: { intValue: '1.5' } }] },
  'with a double that is none': { ...spanOf(), attributes: [{ key: 'a', value: { doubleValue: {} } }] },
  'with a list that is none': { ...spanOf(), attributes: [{ key: 'a', value: { arrayValue: [1] } }] },
  'with an id in base64': { ...spanOf(), traceId: 'q6urq6urq6urq6urq6urqw==' },
  'with a time that is a date': { ...spanOf(), startTimeUnixNano: '2024-05-01T10:00:00Z' },
  'with a time beyond 64 bits': { ...spanOf(), startTimeUnixNano: '18446744073709551616' },
  'with a double that is an empty text': { ...spanOf(), attributes: [{ key: 'a', value: { doubleValue: '' } }] },
  'with a time below zero': { ...spanOf(), startTimeUnixNano: -1 },
  'with events as an object': { ...spanOf(), events: {} },
  'with a name that is a number': { ...spanOf(), name: 7 },
  'with a status that is a number': { ...spanOf(), status: 2 },
}

describe('a damaged span', () => {
  test.each(Object.entries(damaged))('%s is rejected alone', async (_name, change) => {
    for (const encoding of ['protobuf', 'json'] as const) {
      const project = freshProject(client)
      const body = exportOf(groupOf([spanOf(), { ...spanOf({ name: 'the bad one' }), ...change }, spanOf()]))
      const sent = await send(client, body, encoding, { headers: { project_id: project.id } })
      expect(sent).toMatchObject({ status: 200, rejected: 1 })
      expect(sent.message).not.toBe('')
      expect(await project.query()).toHaveLength(2)
    }
  })

  test.each(Object.entries(damagedInJson))('%s is rejected alone', async (_name, span) => {
    const project = freshProject(client)
    const body = exportOf(groupOf([spanOf(), span, spanOf()]))
    const sent = await send(client, body, 'json', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 1 })
    expect(await project.query()).toHaveLength(2)
  })

  test('that is truncated is rejected alone', async () => {
    const project = freshProject(client)
    const good = codecs['Span']!.encode(toMessage(spanOf())).finish()
    const whole = codecs['Span']!.encode(toMessage(spanOf({ attributes: { a: 'text' } }))).finish()
    const spans = [good, whole.slice(0, -3), new Uint8Array([255, 255, 255, 255, 255]), new Uint8Array()]
    const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
    const sent = await sendRaw(client, bytes, 'protobuf', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 3 })
    expect(await project.query()).toHaveLength(1)
  })

  test('is named in the response, up to twenty of them', async () => {
    const project = freshProject(client)
    const bad = Array.from({ length: 25 }, (_, index) => ({ ...spanOf({ name: `bad ${index}` }), traceId: 'ab' }))
    const sent = await send(client, exportOf(groupOf(bad)), 'json', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 25 })
    expect(sent.message).toContain('bad 19')
    expect(sent.message).not.toContain('bad 20')
    expect(sent.message).toEndWith('; ...')
  })
})

describe('a span that cannot be read completely', () => {
  const ids = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
  const naming = `Span "the bad one" (trace ${ids.traceId}, span ${ids.spanId}): `

  test('is named in the response to JSON', async () => {
    const bad = { ...spanOf({ name: 'the bad one', ...ids }), attributes: [{ key: 'a', value: { intValue: '1.5' } }] }
    const headers = { project_id: freshProject(client).id }
    const sent = await send(client, exportOf(groupOf([bad, { ...bad, name: 7 }])), 'json', { headers })
    expect(sent).toMatchObject({ status: 200, rejected: 2 })
    expect(sent.message).toStartWith(naming)
    expect(sent.message).toContain(`Span "" (trace ${ids.traceId}, span ${ids.spanId}): name of its span is not a text`)
  })

  test('is named in the response to protobuf', async () => {
    const whole = codecs['Span']!.encode(
      toMessage(spanOf({ name: 'the bad one', ...ids, attributes: { a: 'b' } })),
    ).finish()
    const spans = [whole.slice(0, -2)]
    const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
    const sent = await sendRaw(client, bytes, 'protobuf', { headers: { project_id: freshProject(client).id } })
    expect(sent).toMatchObject({ status: 200, rejected: 1, message: `${naming}it is damaged` })
  })
})

describe('a damaged export', () => {
  const headers = () => ({ project_id: freshProject(client).id })

  test('of logs or metrics in protobuf is rejected', async () => {
    const text = (value: string) => new TextEncoder().encode(value)
    const record = new Uint8Array([9, 1, 2, 3, 4, 5, 6, 7, 8, 16, 9, 26, 4, ...text('INFO'), 42, 3, 10, 1, 65])
    const metric = new Uint8Array([10, 5, ...text('calls'), 18, 2, ...text('hi'), 58, 2, 16, 1])
    for (const spans of [[record], [metric]]) {
      const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
      expect(await sendRaw(client, bytes, 'protobuf', { headers: headers() })).toMatchObject({
        status: 200,
        rejected: 1,
      })
    }
  })

  test('with an unreadable resource loses only the spans of that resource', async () => {
    const project = freshProject(client)
    const good = groupOf([spanOf()])
    const bad = { ...groupOf([spanOf(), spanOf()]), resource: { attributes: { 'service.name': 'x' } } }
    const sent = await send(client, exportOf(bad, good), 'json', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 2 })
    expect(await project.query()).toHaveLength(1)
  })

  test('with a value nested too deeply loses that span', async () => {
    const project = freshProject(client)
    let value = tagged(1, new TextEncoder().encode('in'))
    for (let level = 0; level < 2000; level++) value = tagged(5, tagged(1, value))
    const span = codecs['Span']!.encode(toMessage(spanOf())).finish()
    const spans = [joined(span, tagged(9, joined(tagged(1, new Uint8Array([97])), tagged(2, value)))), span]
    const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
    const sent = await sendRaw(client, bytes, 'protobuf', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 1 })
    expect(await project.query()).toHaveLength(1)
  })

  test('with too many empty values is rejected in part', async () => {
    const values = new Uint8Array(4_000_000)
    for (let at = 0; at < values.length; at += 2) values[at] = 10
    const list = tagged(5, values)
    const span = new Uint8Array([...codecs['Span']!.encode(toMessage(spanOf())).finish()])
    const withList = joined(span, tagged(9, joined(tagged(1, new Uint8Array([97])), tagged(2, list))))
    const project = freshProject(client)
    const spans = [withList, span]
    const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
    const sent = await sendRaw(client, bytes, 'protobuf', { headers: { project_id: project.id } })
    expect(sent).toMatchObject({ status: 200, rejected: 1 })
    expect(await project.query()).toHaveLength(1)
  })

  test('whose resource would be copied into too many spans is rejected', async () => {
    const body = exportOf(
      groupOf(
        Array.from({ length: 3000 }, () => spanOf()),
        { big: 'x'.repeat(200_000) },
      ),
    )
    expect((await send(client, body, 'protobuf', { headers: headers() })).status).toBe(413)
  })

  test('with too many spans is rejected', async () => {
    const spans = Array.from({ length: 100_001 }, () => new Uint8Array())
    const bytes = codecs['ExportRequest']!.encode({ resourceSpans: [{ scopeSpans: [{ spans }] }] }).finish()
    expect((await sendRaw(client, bytes, 'protobuf', { headers: headers() })).status).toBe(413)
  })

  test('may contain text truncated inside a character', async () => {
    const project = freshProject(client)
    const bytes = toProtobuf(exportOf(groupOf([spanOf({ name: 'caf\u00e9~' })])))
    const at = bytes.findIndex((byte, index) => byte === 0xc3 && bytes[index + 1] === 0xa9)
    bytes[at + 1] = 0x7e
    expect(await sendRaw(client, bytes, 'protobuf', { headers: { project_id: project.id } })).toMatchObject({
      rejected: 0,
    })
    expect((await project.query())[0]?.attributes).toMatchObject({ otel_span: { name: 'caf\ufffd~~' } })
  })
})

function toMessage(span: Record<string, unknown>): unknown {
  return {
    ...span,
    traceId: Uint8Array.fromHex(span['traceId'] as string),
    spanId: Uint8Array.fromHex(span['spanId'] as string),
  }
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** A member of a message: its number, its length, its bytes. */
function tagged(number: number, bytes: Uint8Array): Uint8Array {
  const head = [number * 8 + 2]
  for (let rest = bytes.length; ; rest >>>= 7) {
    head.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) return joined(new Uint8Array(head), bytes)
  }
}
