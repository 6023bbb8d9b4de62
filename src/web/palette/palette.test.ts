import { expect, test } from 'bun:test'
import { idInText } from './id-in-text.ts'
import { rank, ranked } from './rank.ts'

const uuid = '0192f3aa-bbcc-7e02-8123-0123456789ab'

test('ids are found bare, in addresses and in refs', () => {
  expect(idInText(` ${uuid} `)).toEqual({ id: uuid, projectId: undefined })
  expect(idInText('0123456789abcdef')).toEqual({ id: '0123456789abcdef', projectId: undefined })
  expect(idInText(`http://127.0.0.1:8470/acme/bot/r/call/${uuid}`)).toEqual({ id: uuid, projectId: 'acme/bot' })
  expect(idInText('http://host/base/ui/acme/my%20bot/trace/t-1?call=2')).toEqual({
    id: 't-1',
    projectId: 'acme/my bot',
  })
  expect(idInText('weave:///acme/bot/call/c1')).toEqual({ id: 'c1', projectId: 'acme/bot' })
  expect(idInText('latency over 20 s')).toBeUndefined()
  expect(idInText('airline')).toBeUndefined()
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
