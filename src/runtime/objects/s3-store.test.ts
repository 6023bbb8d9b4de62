import { afterEach, beforeEach, expect, test } from 'bun:test'
import { refusal, S3Server } from '../../../test/lake/s3-server.ts'
import { ObjectStoreError } from './object-store.ts'
import { probeStore } from './probe-store.ts'
import { putOwn } from './put-own.ts'
import { isPassing, RetryingStore, retryDelayMs } from './retrying-store.ts'
import { s3Place, s3Url } from './s3-place.ts'
import { S3Store } from './s3-store.ts'

const bytes = new TextEncoder().encode('content')
const pauses: number[] = []
const pace = {
  wait: async (ms: number) => {
    pauses.push(ms)
    return true
  },
  random: () => 0.5,
}
let server: S3Server
beforeEach(async () => {
  server = await new S3Server().start()
  pauses.length = 0
})
afterEach(() => server.stop())

function open(bucket = 'lake', endpoint = server.endpoint) {
  const place = s3Place(`s3://${bucket}/p`, { endpoint, region: 'eu-west-1', addressing: undefined })
  const credentials = async () => ({ accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'token' })
  return new RetryingStore(new S3Store({ place, credentials, pace }), pace)
}

/** A fault for the first `count` requests of a method. */
const atFirst = (method: string, count: number, fault: () => Response | 'lose the answer') => (request: Request) =>
  request.method === method && count-- > 0 ? fault() : undefined

const errorOf = async (work: Promise<unknown>): Promise<ObjectStoreError> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(ObjectStoreError)
  return error as ObjectStoreError
}

test('a put whose answer is lost is recognised as our own, another one is not', async () => {
  server.fault = atFirst('PUT', 1, () => 'lose the answer')
  expect(await putOwn(open(), 'a', bytes, { when: { ifAbsent: true } })).toMatchObject({ isOurs: true })
  const first = await open().get('a')
  server.fault = atFirst('PUT', 2, () => 'lose the answer')
  expect(await putOwn(open(), 'a', new TextEncoder().encode('next'), { when: { ifMatch: first.tag } })).toMatchObject({
    isOurs: true,
  })
  const late = await putOwn(open(), 'a', bytes, { when: { ifAbsent: true } })
  expect(late).toEqual({ isOurs: false, found: await open().get('a') })
})

test('an answer that is cut is asked for again', async () => {
  await open().put('a', bytes)
  server.fault = atFirst('GET', 2, () => 'lose the answer')
  expect((await open().get('a')).bytes).toEqual(bytes)
  // Bun repeats a request by itself, too, if a connection that it has used before is closed.
  expect(server.requests.filter((line) => line.startsWith('GET'))).toHaveLength(3)
  expect(pauses[0]).toBe(37.5)
})

test('a store that is overloaded is given time, as much as it asks for, and not for ever', async () => {
  server.fault = atFirst('PUT', 2, () => refusal(503, 'SlowDown', '', { 'retry-after': '1' }))
  await open().put('a', bytes)
  expect(pauses).toEqual([1000, 1000])
  server.fault = () => refusal(503, 'SlowDown')
  const error = await errorOf(open().put('a', bytes))
  expect([error.kind, error.message]).toEqual([
    'slow',
    'Cannot write s3://lake/p/a: the store is overloaded or has an internal error; try again later ' +
      '(status 503, SlowDown, As <asked>)',
  ])
  expect(server.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3 + 6)
})

test('pauses double, up to a maximum', () => {
  const delays = [1, 2, 3, 20].map((failures) => retryDelayMs(failures, undefined, pace))
  expect(delays).toEqual([37.5, 75, 150, 3750])
  expect(isPassing(new ObjectStoreError('refused', 'no'))).toBe(false)
})

test.each([
  [refusal(403, 'AccessDenied'), 'refused', 'the store refuses these credentials; check the AWS_* settings'],
  [refusal(403, 'SignatureDoesNotMatch'), 'refused', 'check the AWS_* settings'],
  [refusal(403, 'RequestTimeTooSkewed'), 'wrong-clock', 'the clock of this machine is wrong; set it'],
  [
    refusal(400, 'AuthorizationHeaderMalformed', '<Region>eu-north-1</Region>'),
    'wrong-region',
    'the bucket "lake" is not in eu-west-1; set AWS_REGION to eu-north-1',
  ],
  [refusal(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': 'us-west-2' }), 'wrong-region', 'to us-west-2'],
  [refusal(501, 'NotImplemented'), 'unsupported', 'does not have this operation'],
  [new Response('<html>', { status: 400 }), 'unexpected', 'check that it is an S3 endpoint'],
] as const)('an answer %# says in one line what to do', async (answer, kind, words) => {
  server.fault = () => answer
  const error = await errorOf(open().put('a', bytes))
  expect(error.kind).toBe(kind)
  expect(error.message).toContain(words)
  expect(error.message).not.toContain('\n')
  expect(pauses).toEqual([])
})

test('a bucket that does not exist, and a server that does not answer', async () => {
  const noBucket = await errorOf(open('other').put('a', bytes))
  expect([noBucket.kind, noBucket.message]).toEqual([
    'no-bucket',
    expect.stringContaining('there is no bucket "other" at'),
  ])
  const gone = await errorOf(open('lake', 'http://127.0.0.1:1').get('a'))
  expect([gone.kind, gone.message]).toEqual([
    'unreachable',
    expect.stringContaining('check the endpoint and the network'),
  ])
})

test('parts are sent again; an upload whose completion was answered by nobody is found', async () => {
  const piece = new Uint8Array(9 << 20).fill(7)
  const pieces = async function* () {
    yield piece
  }
  server.fault = atFirst('PUT', 1, () => refusal(503, 'SlowDown'))
  await open().putLarge('a', pieces())
  expect(Bun.hash((await open().get('a')).bytes)).toBe(Bun.hash(piece))
  const loseFirst = atFirst('POST', 1, () => 'lose the answer')
  server.fault = (request) => (request.url.includes('uploadId') ? loseFirst(request) : undefined)
  const tag = await open().putLarge('b', pieces())
  expect(tag).toBe((await open().head('b'))?.tag ?? 'none')
})

test('a store without conditions is refused, and the probe says why', async () => {
  server.fault = (request) => {
    request.headers.delete('if-none-match')
    request.headers.delete('if-match')
    return undefined
  }
  const problems: string[] = []
  for await (const { what, problem } of probeStore(open())) if (problem) problems.push(`${what}: ${problem}`)
  const needs = 'a lake needs a store with conditional writes (If-None-Match and If-Match)'
  expect(problems).toEqual([
    `one winner of put-if-absent: 8 of 8 writers won; ${needs}`,
    `one winner of put-if-match: 8 of 8 writers won; ${needs}`,
  ])
  expect([...server.objects.objects.keys()]).toEqual([])
})

test('a probe that may not write ends at once', async () => {
  server.fault = () => refusal(403, 'AccessDenied')
  const results: string[] = []
  for await (const { problem } of probeStore(open())) results.push(problem ?? '')
  expect(results).toEqual([expect.stringContaining('the store refuses these credentials')])
})

test.each([
  ['s3://lake', {}, 'https://lake.s3.eu-west-1.amazonaws.com/', ''],
  ['s3://lake/a/b/', {}, 'https://lake.s3.eu-west-1.amazonaws.com/', 'a/b/'],
  ['s3://la.ke/a', {}, 'https://s3.eu-west-1.amazonaws.com/la.ke', 'a/'],
  ['s3://lake/a', { endpoint: 'http://minio:9000/' }, 'http://minio:9000/lake', 'a/'],
  ['s3://lake/a', { endpoint: 'http://minio:9000', addressing: 'virtual' }, 'http://lake.minio:9000/', 'a/'],
  ['s3://lake/a', { region: 'cn-north-1' }, 'https://lake.s3.cn-north-1.amazonaws.com.cn/', 'a/'],
] as const)('%s with %j is at %s', (address, options, url, prefix) => {
  const place = s3Place(address, { region: 'eu-west-1', endpoint: undefined, addressing: undefined, ...options })
  expect([s3Url(place, '').toString(), place.prefix]).toEqual([url, prefix])
})

test.each([
  ['s3://', {}, 'must be s3://<bucket>/<prefix>'],
  ['s3://UPPER/a', {}, 'must be s3://<bucket>/<prefix>'],
  ['s3://lake/a b', {}, 'The prefix of a lake may have'],
  ['s3://lake/a', { region: undefined }, 'set AWS_REGION'],
  ['s3://lake/a', { endpoint: 'minio' }, 'must be an http or https URL'],
] as const)('%s with %j is refused', (address, options, words) => {
  const all = { region: 'eu-west-1', endpoint: undefined, addressing: undefined, ...options }
  expect(() => s3Place(address, all)).toThrow(words)
})
