import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import {
  askFeedback,
  callRef,
  draftOf,
  type FeedbackReceipt,
  feedbackIds,
  giveFeedback,
  queryFeedback,
  sendFeedback,
} from '../support/feedback.ts'
import type { Project } from '../support/project.ts'
import { ok, Queues } from '../support/queues.ts'
import { expectInvalid, expectRefusal } from '../support/refusals.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const reaction = (emoji: unknown) => ({ feedback_type: 'ext.reaction.1', payload: { emoji } })
const note = (text: unknown) => ({ feedback_type: 'ext.note.1', payload: { note: text } })
const objectRef = (project: Project, name: string) => `ext:///${project.id}/object/${name}:v1`
const opRef = (project: Project, name: string) => `ext:///${project.id}/op/${name}:v1`

describe('feedback/create', () => {
  test('returns what was stored', async () => {
    const project = freshProject(server)
    const before = Date.now()
    const receipt = await giveFeedback(project, { payload: { a: { b: [1, null] } } })
    expect(receipt.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(Date.parse(receipt.created_at)).toBeGreaterThanOrEqual(before - 1000)
    expect(receipt.ext_user_id).toBeString()
    expect(receipt.payload).toEqual({ a: { b: [1, null] } })
    expect(await queryFeedback(project, { fields: ['id', 'payload', 'ext_user_id', 'created_at'] })).toEqual([
      { id: receipt.id, payload: receipt.payload, ext_user_id: receipt.ext_user_id, created_at: receipt.created_at },
    ])
  })

  test('keeps every member', async () => {
    const project = freshProject(server)
    const members = {
      id: 'mine',
      creator: 'Ada',
      scorer_tags: ['good', 'short'],
      scorer_tag_reasons: { good: 'because' },
      scorer_tag_confidences: { good: 0.5 },
      scorer_ratings: { quality: 1 },
      scorer_rating_reasons: { quality: 'so it is' },
      scorer_rating_confidences: { quality: 0 },
      span_agent_name: 'agent',
      span_agent_version: '2',
      span_status_code: 'OK',
      span_conversation_id: 'c',
      span_trace_id: 't',
      scorer_trace_id: 's',
    }
    await giveFeedback(project, members)
    expect(await queryFeedback(project)).toMatchObject([{ ...draftOf(project), ...members }])
  })

  test('overwrites a user id sent by the client', async () => {
    const project = freshProject(server)
    expect((await giveFeedback(project, { ext_user_id: 'somebody' })).ext_user_id).not.toBe('somebody')
  })

  test('sent again with the same id replaces the earlier feedback', async () => {
    const project = freshProject(server)
    await giveFeedback(project, { id: 'x', creator: 'Ada' })
    await giveFeedback(project, { id: 'x', payload: { second: true } })
    expect(await queryFeedback(project, { fields: ['id', 'creator', 'payload'] })).toEqual([
      { id: 'x', creator: null, payload: { second: true } },
    ])
  })

  test('keeps numbers of the payload verbatim', async () => {
    const project = freshProject(server)
    const payload = '{"one":1.0,"big":12345678901234567890,"e":1e5}'
    const draft = JSON.stringify(draftOf(project, { payload: 'P' })).replace('"P"', payload)
    const answer = await server.postRaw('/feedback/create', draft)
    expect(answer.text).toContain(payload)
    expect((await askFeedback(project, { fields: ['payload'] })).text).toBe(
      `{"total_count":1,"result":[{"payload":${payload}}]}`,
    )
  })

  test('accepts payloads of up to 1 MiB', async () => {
    const project = freshProject(server)
    const fits = { text: 'x'.repeat(1024 * 1024 - 11) }
    expect((await sendFeedback(project, { payload: fits })).status).toBe(200)
    expectRefusal(await sendFeedback(project, { payload: { text: `${fits.text}x` } }), 400, 'payload')
  })

  test('rejects malformed ids and an empty type or ref', async () => {
    const project = freshProject(server)
    expectRefusal(await sendFeedback(project, { id: 'a b' }), 422, 'id')
    expectRefusal(await sendFeedback(project, { feedback_type: '' }), 400, 'feedback_type')
    expectRefusal(await sendFeedback(project, { ext_ref: '' }), 400, 'ext_ref')
    expect(await feedbackIds(project)).toEqual([])
  })

  test('requires a project, a ref, a type and a payload', async () => {
    const answer = await server.post('/feedback/create', { payload: [] })
    expectInvalid(answer, ['body', 'project_id'], ['body', 'ext_ref'], ['body', 'feedback_type'], ['body', 'payload'])
  })

  test('rejects fractions outside of 0 to 1', async () => {
    const project = freshProject(server)
    const answer = await sendFeedback(project, { scorer_ratings: { quality: 1.5 } })
    expectInvalid(answer, ['body', 'scorer_ratings', 'quality'])
  })

  test('rejects an unknown queue', async () => {
    const project = freshProject(server)
    expectRefusal(await sendFeedback(project, { queue_id: 'no-such-queue' }), 400, 'Queue no-such-queue not found')
  })

  test('rejects a queue of another project, in every operation that stores feedback', async () => {
    const [project, other] = [freshProject(server), freshProject(server)]
    const { id: queue_id } = await ok(new Queues(other).create())
    expectRefusal(await sendFeedback(project, { queue_id }), 400, `Queue ${queue_id} not found`)
    const replacement = { ...draftOf(project, { queue_id }), feedback_id: 'x' }
    expectRefusal(await server.post('/feedback/replace', replacement), 400, `Queue ${queue_id} not found`)
    const batch = [draftOf(other, { queue_id }), draftOf(project, { queue_id })]
    const refused = await server.post('/feedback/batch/create', { batch })
    expectInvalid(refused, ['body', 'batch', '1'])
    expect(refused.text).toContain(`Queue ${queue_id} not found`)
    expect([await feedbackIds(project), await feedbackIds(other)]).toEqual([[], []])
    expect((await sendFeedback(other, { queue_id })).status).toBe(200)
  })
})

describe('reactions', () => {
  test.each([
    ['👍', ':thumbs_up:', '👍', ':thumbs_up:'],
    ['👍🏽', ':thumbs_up_medium_skin_tone:', '👍', ':thumbs_up:'],
    ['❤️', ':red_heart:', '❤️', ':red_heart:'],
    ['❤', ':red_heart:', '❤️', ':red_heart:'],
    ['👍🏼', ':thumbs_up_medium-light_skin_tone:', '👍', ':thumbs_up:'],
    [
      '🧑🏿‍❤️‍🧑🏻',
      ':couple_with_heart_person_person_dark_skin_tone_light_skin_tone:',
      ':couple_with_heart_person_person:',
      ':couple_with_heart_person_person:',
    ],
    ['🏻', ':light_skin_tone:', '🏻', ':light_skin_tone:'],
    ['1️⃣', ':keycap_1:', '1️⃣', ':keycap_1:'],
    ['👩🏿‍💻', ':woman_technologist_dark_skin_tone:', '👩‍💻', ':woman_technologist:'],
    ['🇩🇪', ':Germany:', '🇩🇪', ':Germany:'],
    ['👨‍👩‍👧', ':family_man_woman_girl:', '👨‍👩‍👧', ':family_man_woman_girl:'],
  ])('%s is stored with its aliases', async (emoji, alias, detoned, detoned_alias) => {
    const project = freshProject(server)
    const { payload } = await giveFeedback(project, reaction(emoji))
    expect(payload).toEqual({ emoji, alias, detoned, detoned_alias })
  })

  test('of every emoji get the same names as in Python', async () => {
    const project = freshProject(server)
    const file = Bun.file(new URL('emoji-answers.json.gz', import.meta.url))
    const expected = JSON.parse(gunzipSync(await file.bytes()).toString()) as Record<string, string>[]
    expect(expected.length).toBeGreaterThan(3_900)
    const batch = expected.map(({ emoji }) => draftOf(project, reaction(emoji)))
    const answer = await server.post<{ res: FeedbackReceipt[] }>('/feedback/batch/create', { batch })
    expect(`${answer.status} ${answer.text.slice(0, 200)}`).toStartWith('200 ')
    expect(answer.json.res.map(({ payload }) => payload)).toEqual(expected)
  })

  test.each([['👍👍'], ['👍 '], ['a'], [''], [':thumbs_up:'], [1], [null], [undefined], ['1'], ['‍']])(
    '%j is not exactly one emoji',
    async (emoji) => {
      const project = freshProject(server)
      expectRefusal(await sendFeedback(project, reaction(emoji)), 400, 'emoji')
    },
  )
})

describe('notes', () => {
  test('are 1 to 1024 characters long', async () => {
    const project = freshProject(server)
    expect((await sendFeedback(project, note('😀'.repeat(1024)))).status).toBe(200)
    for (const text of ['', 'x'.repeat(1025), 5, undefined]) {
      expectRefusal(await sendFeedback(project, note(text)), 400, 'note')
    }
  })
})

describe('annotations', () => {
  test('require an existing annotation spec', async () => {
    const project = freshProject(server)
    const members = { feedback_type: 'ext.annotation.quality', payload: { value: 1 } }
    expectRefusal(await sendFeedback(project, members), 400, 'annotation_ref')
    const other = { ...members, annotation_ref: objectRef(project, 'other') }
    expectRefusal(await sendFeedback(project, other), 400, 'quality')
    const elsewhere = { ...members, annotation_ref: 'ext:///some/where/object/quality:v1' }
    expectRefusal(await sendFeedback(project, elsewhere), 400, 'quality')
    const missing = { ...members, annotation_ref: objectRef(project, 'quality') }
    expectRefusal(await sendFeedback(project, missing), 400, 'object')
    expectRefusal(await sendFeedback(project, { ...missing, payload: {} }), 400, 'value')
  })
})

describe('runnables', () => {
  test('accept a ref to what produced them, and require an output', async () => {
    const project = freshProject(server)
    const members = { feedback_type: 'ext.runnable.judge', payload: { output: { ok: true } } }
    const runnable_ref = objectRef(project, 'judge')
    const stored = { ...members, runnable_ref, trigger_ref: objectRef(project, 'monitor') }
    expect((await sendFeedback(project, stored)).status).toBe(200)
    expectRefusal(await sendFeedback(project, members), 400, 'runnable_ref')
    expectRefusal(await sendFeedback(project, { ...members, runnable_ref: objectRef(project, 'x') }), 400, 'judge')
    expectRefusal(await sendFeedback(project, { ...members, runnable_ref, payload: {} }), 400, 'output')
  })

  test('that are ops also require the call', async () => {
    const project = freshProject(server)
    const members = {
      feedback_type: 'ext.runnable.judge',
      payload: { output: 1 },
      runnable_ref: opRef(project, 'judge'),
    }
    expectRefusal(await sendFeedback(project, members), 400, 'call_ref')
    expectRefusal(await sendFeedback(project, { ...members, call_ref: 'not a call' }), 400, 'call_ref')
    expect((await sendFeedback(project, { ...members, call_ref: callRef(project, 'j') })).status).toBe(200)
  })
})

describe('other types', () => {
  test('reject refs of other types', async () => {
    const project = freshProject(server)
    for (const member of ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']) {
      expectRefusal(await sendFeedback(project, { [member]: objectRef(project, 'x') }), 400, member)
      expectRefusal(await sendFeedback(project, { ...note('n'), [member]: objectRef(project, 'x') }), 400, member)
    }
  })

  test('of agents require trigger_ref or scorer_tags', async () => {
    const project = freshProject(server)
    const monitor = { feedback_type: 'ext.agent_monitor', runnable_ref: 'r', call_ref: 'c' }
    expectRefusal(await sendFeedback(project, monitor), 400, 'trigger_ref')
    expect((await sendFeedback(project, { ...monitor, trigger_ref: 't' })).status).toBe(200)
    expectRefusal(await sendFeedback(project, { feedback_type: 'ext.agent_user_feedback' }), 400, 'scorer_tags')
    const tagged = { feedback_type: 'ext.agent_user_feedback', scorer_tags: ['good'] }
    expect((await sendFeedback(project, tagged)).status).toBe(200)
  })
})

describe('feedback/batch/create', () => {
  const sendBatch = (batch: unknown[]) => server.post<{ res: FeedbackReceipt[] }>('/feedback/batch/create', { batch })

  test('stores all items and responds in their order', async () => {
    const [one, other] = [freshProject(server), freshProject(server)]
    const answer = await sendBatch([draftOf(one, { id: 'x' }), draftOf(other), draftOf(one, reaction('👍'))])
    expect(answer.status).toBe(200)
    expect(answer.json.res[0]!.id).toBe('x')
    expect(answer.json.res[2]!.payload['alias']).toBe(':thumbs_up:')
    expect(await feedbackIds(one)).toEqual(['x', answer.json.res[2]!.id])
    expect(await feedbackIds(other)).toEqual([answer.json.res[1]!.id])
  })

  test('stores nothing if one item is invalid', async () => {
    const project = freshProject(server)
    const bad = [
      note(''),
      reaction('no'),
      { id: 'a b' },
      { queue_id: 'none' },
      { call_ref: 'c' },
      { payload: { big: 'x'.repeat(2e6) } },
    ]
    for (const draft of bad) {
      expectInvalid(await sendBatch([draftOf(project), draftOf(project, draft)]), ['body', 'batch', '1'])
    }
    expect(await feedbackIds(project)).toEqual([])
  })

  test('of an empty batch returns an empty list', async () => {
    expect((await sendBatch([])).json).toEqual({ res: [] })
  })
})
