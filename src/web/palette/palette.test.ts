import { expect, test } from 'bun:test'
import { idInText, objectInText } from './id-in-text.ts'
import { rank, ranked } from './rank.ts'

const uuid = '0192f3aa-bbcc-7e02-8123-0123456789ab'

test('ids are found bare, in addresses and in refs', () => {
  expect(idInText(` ${uuid} `)).toEqual({ id: uuid, projectId: undefined, isCertain: true })
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

test('a word with a digit or a sign may be an id that a client chose', () => {
  expect(idInText('support-9a9832bb')).toEqual({ id: 'support-9a9832bb', projectId: undefined, isCertain: false })
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
