import { expect, test } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { Project } from '../conformance/support/project.ts'
import { ok, Queues } from '../conformance/support/queues.ts'
import { annotationSpecOf } from '../conformance/support/reviewed-queue.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'
import { crashRounds } from './crash-rounds.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'c'.repeat(40)
const lives = crashRounds({ each: 3, min: 5 })
const loadMsMax = 700
const pairCount = 6

/** Versions of one person's answer to an item, or of the decision: what was sent and accepted. */
interface Versions {
  sent: number
  accepted: number
}

const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(`answers about pairs and decisions are whole after ${lives} kills (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  const on = (client: Client) => new Queues(new Project(client, 'crash', 'pairs'))
  let server = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    const admin = on(await server.listening())
    const { client } = admin.project
    const keys: string[] = []
    for (const name of ['ann', 'bob'])
      keys.push((await client.post<{ key: string }>('/keys/create', { name, role: 'write' })).json.key)
    const ids = Array.from({ length: pairCount }, (_, index) => [`left-${index}`, `right-${index}`] as const)
    await admin.project.add(...ids.flat().map((id) => ({ id })))
    const refs = {
      best: await annotationSpecOf(admin.project, 'best', { type: 'string', format: 'preferred-call' }),
      count: await annotationSpecOf(admin.project, 'count', { type: 'integer' }),
    }
    const { id } = await ok(admin.create({ scorer_refs: Object.values(refs) }))
    await ok(admin.setReview(id, { reviewers_per_item: 2 }))
    expect(await ok(admin.addPairs(id, ids))).toEqual({ added_count: pairCount, duplicates: 0 })
    const { items } = await ok(admin.items(id))
    /** A version has its number as an answer; every other one has a note, or a reason. */
    const answersOf = (item: (typeof items)[number], version: number) => [
      { annotation_ref: refs.best, value: [item.call_id, item.compared_call_id, 'tie'][version % 3] },
      { annotation_ref: refs.count, value: version },
    ]
    const noteOf = (version: number) => (version % 2 === 0 ? null : `version ${version}`)

    const known = new Map<string, Versions>()
    const sendNext = async (key: string, send: (version: number) => Promise<unknown>) => {
      const versions = known.get(key) ?? { sent: 0, accepted: 0 }
      known.set(key, versions)
      versions.sent++
      await send(versions.sent)
      versions.accepted = versions.sent
    }
    /** Answers all pairs again and again, until the server dies. */
    const review = async (person: Queues, name: string) => {
      for (;;) {
        for (const item of items) {
          await ok(person.claim(id, { item_id: item.id }))
          await sendNext(`${item.id} ${name}`, (version) =>
            ok(person.submit(id, item.id, { answers: answersOf(item, version), note: noteOf(version) })),
          )
        }
      }
    }
    const decide = async (queues: Queues) => {
      for (;;) {
        for (const item of items) {
          if ((known.get(`${item.id} ann`)?.accepted ?? 0) === 0) await Bun.sleep(1)
          else
            await sendNext(`${item.id} final`, (version) =>
              ok(queues.decide(id, item.id, { answers: answersOf(item, version), reason: noteOf(version) })),
            )
        }
      }
    }
    /** Everything stored about an item is of one version, and of none that others have replaced. */
    const check = async (queues: Queues) => {
      const fields = ['call_id', 'feedback_type', 'payload', 'ext_user_id', 'annotation_ref']
      const rows = await queryFeedback(queues.project, { fields })
      const people = new Map((await ok(queues.overview([id]))).queues[0]!.reviewers.map((r) => [r.user_id, r.name]))
      for (const item of items)
        for (const name of ['ann', 'bob', 'final']) {
          const { sent, accepted } = known.get(`${item.id} ${name}`) ?? { sent: 0, accepted: 0 }
          const own = rows.filter(({ call_id, feedback_type, ext_user_id }) => {
            const isFinal = String(feedback_type).startsWith('final_answer.')
            const isOf = name === 'final' ? isFinal : !isFinal && people.get(String(ext_user_id)) === name
            return call_id === item.call_id && isOf
          })
          if (own.length === 0) {
            expect([item.id, name, accepted]).toEqual([item.id, name, 0])
            continue
          }
          const payloads = own.map(({ payload }) => payload as Record<string, unknown>)
          const version = payloads.find(({ value }) => typeof value === 'number')?.['value'] as number
          expect(version).toBeWithin(accepted === 0 ? 1 : accepted, sent + 1)
          const reason = name === 'final' && noteOf(version) !== null ? { reason: noteOf(version) } : {}
          const by = name === 'final' ? { by: 'decision' } : {}
          const note = name === 'final' || noteOf(version) === null ? [] : [{ note: noteOf(version) }]
          const whole = [...answersOf(item, version).map(({ value }) => ({ value, ...by, ...reason })), ...note]
          const asTexts = (list: readonly object[]) => list.map((each) => JSON.stringify(sorted(each))).toSorted()
          expect([item.id, name, asTexts(payloads)]).toEqual([item.id, name, asTexts(whole)])
        }
    }

    await server.stop()
    for (let life = 0; life < lives; life++) {
      server = new ServerChild({ kind: 'flushing', data, adminKey })
      const queues = on(await server.listening())
      await check(queues)
      server.beginFlushing()
      const people = keys.map((key) => new Queues(queues.project.withKey(key)))
      const working = Promise.all([review(people[0]!, 'ann'), review(people[1]!, 'bob'), decide(queues)]).catch(
        (cause: unknown) => cause,
      )
      const before = accepted(known)
      await letLoadRun(random.below(loadMsMax), working, () => accepted(known) > before)
      await server.kill()
      // Only the kill may end the work: the text of an error response begins with its status.
      expect(String(await working)).not.toMatch(/^Error: \d{3}:/)
    }
    server = new ServerChild({ kind: 'plain', data, adminKey })
    await check(on(await server.listening()))
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await removeFolder(data)
  }
}, 300_000)

const accepted = (known: ReadonlyMap<string, Versions>) =>
  [...known.values()].reduce((sum, versions) => sum + versions.accepted, 0)

const sorted = (value: object) => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
