import { expect, test } from 'bun:test'
import { queryFeedback } from '../conformance/support/feedback.ts'
import { Project } from '../conformance/support/project.ts'
import { ok, Queues } from '../conformance/support/queues.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const adminKey = 'c'.repeat(40)
const itemCount = 40
const killsMax = 3

test('answers outlive kills, and no item gets more people than asked for', async () => {
  const data = await makeTempFolder()
  let server = await startServer({ data, adminKey })
  try {
    const keys = await Promise.all(
      ['ann', 'bob', 'cyd', 'dan'].map((name) => server.createKey({ name, role: 'write', scope: '*' })),
    )
    const queues = () => new Queues(new Project(server.client, 'crash', 'review'))
    const callIds = Array.from({ length: itemCount }, (_, index) => `call-${index}`)
    await queues().project.add(...callIds.map((id) => ({ id })))
    const { id } = await ok(queues().create())
    const { people } = await ok(queues().assignable())
    const assigned_to = people.filter(({ name }) => name !== 'dan').map(({ user_id }) => user_id)
    await ok(queues().setReview(id, { reviewers_per_item: 2, assigned_to }))
    await ok(queues().add(id, callIds))
    const accepted = new Map<string, Set<string>>()
    const answered = () => [...accepted.values()].reduce((sum, each) => sum + each.size, 0)
    /** Answers until nothing is left, or the server dies. */
    const work = async (key: string): Promise<void> => {
      const person = new Queues(queues().project.withKey(key))
      for (;;) {
        const { claim, left } = await ok(person.claim(id))
        if (claim === null && left === 0) return
        if (claim === null) {
          await Bun.sleep(20)
          continue
        }
        const { status } = await person.submit(id, claim.item.id, { note: `answer of ${key}` })
        expect(status).toBe(200)
        const people = accepted.get(claim.item.id) ?? new Set<string>()
        accepted.set(claim.item.id, people.add(key))
      }
    }
    for (let kills = 0; kills < killsMax; kills++) {
      const until = answered() + 15
      const working = Promise.allSettled(keys.slice(0, 3).map(work))
      while (answered() < until) await Bun.sleep(1)
      await server.kill()
      await working
      server = await startServer({ data, adminKey })
      // Whom the queue is assigned to is not forgotten.
      const stranger = new Queues(queues().project.withKey(keys[3] ?? ''))
      expect((await stranger.claim(id)).status).toBe(403)
    }
    await Promise.all(keys.slice(0, 3).map(work))

    const [overview] = (await ok(queues().overview())).queues
    expect(overview).toMatchObject({ items: itemCount, finished_items: itemCount, answers: 2 * itemCount })
    // An answer may be stored although its person was not told so.
    expect(answered()).toBeLessThanOrEqual(2 * itemCount)
    expect([...accepted.values()].every((people) => people.size <= 2)).toBe(true)
    const notes = await queryFeedback(queues().project, { fields: ['payload', 'call_id', 'creator'] })
    const written = new Set(notes.map(({ call_id, payload }) => `${call_id} ${JSON.stringify(payload)}`))
    const { items } = await ok(queues().items(id))
    for (const { id: itemId, call_id } of items) {
      for (const key of accepted.get(itemId) ?? [])
        expect(written).toContain(`${call_id} ${JSON.stringify({ note: `answer of ${key}` })}`)
    }
  } finally {
    await server.kill()
    await removeFolder(data)
  }
}, 300_000)
