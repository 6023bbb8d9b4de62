import { expect, test } from 'bun:test'
import { pino } from 'pino'
import { DomainError, type ErrorType, ValidationError } from '../../lib/errors.ts'
import { statusOf, toErrorResponse } from './error-responses.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

const answerTo = async (thrown: unknown) => {
  const response = toErrorResponse(thrown, log)
  return { status: response.status, headers: response.headers, body: (await response.json()) as object }
}

const waits: ReadonlySet<ErrorType> = new Set(['TooManyRequests', 'RepeatedTooEarly', 'InsufficientStorage'])

test.each(Object.entries(statusOf) as [ErrorType, number][])(
  '%s maps to %d in the uniform error format',
  async (type, status) => {
    const answer = await answerTo(
      new DomainError(type, 'Do it: no', { extras: { more: 1 }, cause: new Error('inner') }),
    )
    expect([answer.status, answer.body]).toEqual([status, { reason: 'Do it: no', error_type: type, more: 1 }])
    expect(answer.headers.get('content-type')).toBe('application/json')
    // Retrying does not repair a damaged file.
    expect(answer.headers.has('retry-after')).toBe(waits.has(type) || (status === 503 && type !== 'DataDamaged'))
    expect(answer.headers.has('www-authenticate')).toBe(status === 401)
    expect(lines.splice(0)).toHaveLength(type === 'DataDamaged' ? 1 : 0)
  },
)

test('a schema violation is a 422 that lists the locations', async () => {
  const violation = { loc: ['body', 'x'], msg: 'Field required', type: 'missing' }
  expect(await answerTo(new ValidationError([violation]))).toMatchObject({ status: 422, body: { detail: [violation] } })
})

test.each([
  ['a system error', new Error('ENOENT /srv/data/keys.json', { cause: new Error('SELECT secret FROM calls') })],
  ['a programming error', new TypeError("undefined is not an object (evaluating 'row[0]')")],
  ['a thrown string', 'SELECT 1'],
  ['a thrown undefined', undefined],
])('details of %s go to the log only', async (_what, thrown) => {
  lines.length = 0
  const { status, body } = await answerTo(thrown)
  expect(status).toBe(500)
  expect(body).toEqual({ reason: 'Internal server error', error_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(lines).toHaveLength(1)
  const line = JSON.parse(lines.pop()!) as { errorId: string; err: { message: string } }
  expect(line.errorId).toBe((body as { error_id: string }).error_id)
  expect(line.err.message).toStartWith(thrown instanceof Error ? thrown.message : String(thrown))
})
