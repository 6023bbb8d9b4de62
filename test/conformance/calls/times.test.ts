import { describe, expect, test } from 'bun:test'
import { startOf } from '../support/call-shapes.ts'
import { expectInvalid } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

describe('times', () => {
  test.each([
    ['UTC', '2024-05-01T10:00:00Z', '2024-05-01T10:00:00Z'],
    ['UTC as an offset', '2024-05-01T10:00:00+00:00', '2024-05-01T10:00:00Z'],
    ['an offset to the east', '2024-05-01T12:30:00+02:30', '2024-05-01T10:00:00Z'],
    ['an offset to the west over midnight', '2024-04-30T23:00:00-11:00', '2024-05-01T10:00:00Z'],
    ['no offset, which means UTC', '2024-05-01T10:00:00', '2024-05-01T10:00:00Z'],
    ['a blank instead of the T', '2024-05-01 10:00:00+00:00', '2024-05-01T10:00:00Z'],
    ['milliseconds', '2024-05-01T10:00:00.120Z', '2024-05-01T10:00:00.120000Z'],
    ['microseconds', '2024-05-01T10:00:00.123456Z', '2024-05-01T10:00:00.123456Z'],
    ['one microsecond', '2024-05-01T10:00:00.000001+02:00', '2024-05-01T08:00:00.000001Z'],
    ['a fraction of zero', '2024-05-01T10:00:00.000000Z', '2024-05-01T10:00:00Z'],
    ['a time before 1970', '1969-12-31T23:59:59.500000Z', '1969-12-31T23:59:59.500000Z'],
    ['whole unix seconds', 1714557600, '2024-05-01T10:00:00Z'],
    ['unix seconds with a fraction', 1714557600.25, '2024-05-01T10:00:00.250000Z'],
    ['unix zero', 0, '1970-01-01T00:00:00Z'],
    ['the year 1', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['the year 99 with an offset', '0099-12-31T23:00:00-02:00', '0100-01-01T01:00:00Z'],
    ['the last second that clients know', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('%s', async (_kind, sent, shown) => {
    const project = freshProject(server)
    await project.add({ id: 'a', started_at: sent, ended_at: sent })
    expect(await project.readExisting('a')).toMatchObject({ started_at: shown, ended_at: shown })
    expect(await project.query()).toMatchObject([{ started_at: shown, ended_at: shown }])
  })

  test('digits beyond microseconds do not change the microseconds', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', started_at: '2024-05-01T10:00:00.123456123Z' })
    expect((await project.readExisting('a')).started_at).toBe('2024-05-01T10:00:00.123456Z')
  })

  test('the maximum time of clients is accepted, with a small rounding error', async () => {
    const project = freshProject(server)
    await project.start({ id: 'a', started_at: '9999-12-31T23:59:59.999999Z' })
    expect((await project.readExisting('a')).started_at).toStartWith('9999-12-31T23:59:59.999')
    expectInvalid(
      await server.post('/call/start', { start: { ...startOf(project.id), started_at: '9999-12-31T23:59:59-01:00' } }),
      ['body', 'start', 'started_at'],
    )
  })

  test.each(['yesterday', '', '2024-13-01T00:00:00Z', '2024-02-30T00:00:00Z', '10:00', true, {}])(
    'rejects %p',
    async (value) => {
      const start = { ...startOf(freshProject(server).id), started_at: value }
      expectInvalid(await server.post('/call/start', { start }), ['body', 'start', 'started_at'])
    },
  )
})
