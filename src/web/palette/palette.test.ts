import { expect, test } from 'bun:test'
import { rank, ranked } from './entry.ts'
import { idInText, objectInText } from './id-in-text.ts'

const uuid = '0192f3aa-bbcc-7e02-8123-0123456789ab'

test('ids are found bare, in addresses and in refs', () => {
  expect(idInText(` ${uuid} `)).toEqual({ id: uuid, projectId: undefined, isCertain: true, isDistinctive: true })
  expect(idInText('0123456789abcdef')).toMatchObject({ id: '0123456789abcdef', isCertain: true })
  expect(idInText(`http://127.0.0.1:8470/acme/bot/r/call/${uuid}`)).toMatchObject({ id: uuid, projectId: 'acme/bot' })
  expect(idInText('http://host/base/ui/acme/my%20bot/trace/t-1?call=2')).toMatchObject({
    id: 't-1',
    projectId: 'acme/my bot',
  })
  expect(idInText('http://host/ui/acme/bot/thread/support-1')).toMatchObject({ id: 'support-1', projectId: 'acme/bot' })
  expect(idInText('weave:///acme/bot/call/c1')).toMatchObject({ id: 'c1', projectId: 'acme/bot' })
  expect(idInText('latency over 20 s')).toBeUndefined()
  expect(idInText('airline')).toBeUndefined()
})

test('ids are found in lines of logs', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  for (const line of [
    `trace_id=${trace}`,
    `2026-11-24T06:00:01 ERROR [app] [trace_id=${trace} span_id=00f067aa0ba902b7 resource.service.name=bot] - refused`,
    `{"level": "error", "traceId": "${trace}", "msg": "refused"}`,
    `traceparent: 00-${trace}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-01`,
    `'${trace}',`,
  ])
    expect(idInText(line), line).toMatchObject({ id: trace, isCertain: true })
  expect(idInText(`call ${uuid} failed`)).toMatchObject({ id: uuid, isCertain: true })
  // An id that a client made of a word and a number stays whole.
  expect(idInText('run-0123456789abcdef')).toMatchObject({ id: 'run-0123456789abcdef', isCertain: false })
  // The digest of an image is no id.
  expect(idInText(`pulled sha256:${'0123456789abcdef'.repeat(4)}`)).toBeUndefined()
})

test('a word with a digit or a sign may be an id that a client chose', () => {
  expect(idInText('support-9a9832bb')).toEqual({
    id: 'support-9a9832bb',
    projectId: undefined,
    isCertain: false,
    isDistinctive: true,
  })
  expect(idInText('gpt-4o')).toMatchObject({ isCertain: false, isDistinctive: false })
  expect(idInText('order:17')).toMatchObject({ isCertain: false })
  expect(idInText('latency>5')).toBeUndefined()
})

test('refs name objects and ops', () => {
  expect(objectInText('ext:///acme/bot/object/system-prompt:n3DCPSGj')).toEqual({
    projectId: 'acme/bot',
    name: 'system-prompt',
    digest: 'n3DCPSGj',
  })
  expect(objectInText('weave:///acme/my%20bot/op/answer:v1')).toMatchObject({
    projectId: 'acme/my bot',
    name: 'answer',
  })
  expect(objectInText('weave:///acme/bot/call/c1')).toBeUndefined()
})

test('the start of a text ranks over the start of a word, and that over the middle', () => {
  expect([rank('lat', 'Latency'), rank('lat', 'By latency'), rank('lat', 'calculate'), rank('lat', 'Cost')]).toEqual([
    3, 2, 1, 0,
  ])
  expect(ranked('da', [{ label: 'calendar' }, { label: 'Theme', words: 'dark' }, { label: 'Dashboards' }])).toEqual([
    { label: 'Dashboards' },
    { label: 'Theme', words: 'dark' },
    { label: 'calendar' },
  ])
})
