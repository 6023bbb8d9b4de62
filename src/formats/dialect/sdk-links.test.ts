import { expect, test } from 'bun:test'
import { placeOfSdkLink } from './sdk-links.ts'

test.each([
  ['/acme/bot/r/call/0190-a', '/acme/bot/call/0190-a'],
  ['/acme/bot/weave', '/acme/bot/traces'],
  ['/acme/bot/weave/', '/acme/bot/traces'],
  ['/my%20team/bot/weave/calls/x', '/my%20team/bot/call/x'],
  ['/acme/bot/weave/objects/my%2Fthing/versions/abc', '/acme/bot/object/my%2Fthing/abc'],
  ['/acme/bot/weave/ops/predict/versions/*', '/acme/bot/object/predict/*'],
  ['/acme/bot/weave/leaderboards/best', '/acme/bot/leaderboards/best'],
  ['/acme/bot/weave/agents/conversations/c%3A1', '/acme/bot/thread/c%3A1'],
  ['/acme/bot/weave/threads', '/acme/bot/threads'],
  ['/acme/bot/weave/something/new', '/acme/bot/traces'],
])('%s leads to %s', (path, place) => {
  expect(placeOfSdkLink(path)).toBe(place)
})

test.each([
  '/',
  '/acme/bot',
  '/acme/bot/r/call',
  '/acme/bot/r/call/a/b',
  '/acme/bot/r/thing/a',
  '/acme/bot/weaver',
  '/v2/acme/weave',
  '/v2/acme/bot/weave',
  '/ui/acme/weave',
  '/call/read',
  '/otel/v1/traces',
])('%s is no link of an SDK', (path) => {
  expect(placeOfSdkLink(path)).toBeUndefined()
})
