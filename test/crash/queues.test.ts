import { expect, test } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { ok, Queues } from '../conformance/support/queues.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const lives = 4
const loadMsMax = 900
const adminKey = 'c'.repeat(40)
const callIds = Array.from({ length: 40 }, (_, index) => `call-${index}`)
const tables = ['annotation_queues', 'annotation_queue_items', 'annotation_progress']

/**
 * What was acknowledged about one queue; an unacknowledged request may have taken effect or not.
 */
interface Known {
  readonly id: string
  readonly calls: Map<string, string>
  readonly maybe: Set<string>
  deleted: 'no' | 'maybe' | 'yes'
}

/** Creates queues, adds calls and annotates until the server dies. */
async function annotate(queues: Queues, known: Known[], random: Random): Promise<void> {
  for (;;) {
    const { id } = await ok(queues.create())
    const queue: Known = { id, calls: new Map(), maybe: new Set(), deleted: 'no' }
    known.push(queue)
    const chosen = callIds.filter(() => random.chance(0.3))
    for (const call of chosen) queue.maybe.add(call)
    await ok(queues.add(id, chosen))
    for (const call of chosen) queue.calls.set(call, 'unstarted')
    queue.maybe.clear()
    for (const { id: itemId, call_id } of (await ok(queues.items(id))).items) {
      for (const state of ['in_progress', random.chance(0.5) ? 'completed' : 'skipped']) {
        queue.maybe.add(call_id)
        await ok(queues.progress(id, itemId, state))
        queue.calls.set(call_id, state)
        queue.maybe.delete(call_id)
      }
    }
    if (random.chance(0.8)) continue
    queue.deleted = 'maybe'
    await ok(queues.delete(id))
    queue.deleted = 'yes'
  }
}

async function check(queues: Queues, known: readonly Known[]): Promise<void> {
  for (const { id, calls, maybe, deleted } of known) {
    const { status } = await queues.read(id)
    if (deleted !== 'maybe') expect([id, status]).toEqual([id, deleted === 'yes' ? 404 : 200])
    if (status === 404) continue
    const { items } = await ok(queues.items(id))
    const shown = new Map(items.map((item) => [item.call_id, item.annotation_state]))
    expect(shown.size).toBe(items.length)
    for (const [call, state] of calls)
      if (!maybe.has(call)) expect([id, call, shown.get(call)]).toEqual([id, call, state])
    for (const call of shown.keys()) expect(calls.has(call) || maybe.has(call)).toBe(true)
    // Once visible it has taken effect.
    for (const call of maybe) {
      const state = shown.get(call)
      if (state !== undefined) calls.set(call, state)
    }
    maybe.clear()
    const done = [...shown.values()].filter((state) => state === 'completed' || state === 'skipped').length
    expect((await ok(queues.stats([id]))).stats).toEqual([
      { queue_id: id, total_items: items.length, completed_items: done },
    ])
  }
}

const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(`annotation queues survive ${lives} kills (TRACELAKE_TEST_SEED=${seed})`, async () => {
  const data = await makeTempFolder()
  const random = new Random(seed)
  const known: Known[] = []
  const queuesOn = (client: Client) => new Queues(new Project(client, 'crash', 'queues'))
  for (let life = 0; life < lives; life++) {
    const server = new ServerChild({ kind: random.chance(0.7) ? 'flushing' : 'plain', data, adminKey })
    try {
      const queues = queuesOn(await server.listening())
      // Half-done work of the killed server is finished by the next start.
      for (const table of tables)
        expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
      await queues.project.complete(...callIds.map((id) => ({ id })))
      await check(queues, known)
      server.beginFlushing()
      const working = annotate(queues, known, random).catch((cause: unknown) => cause)
      await letLoadRun(random.below(loadMsMax), working, () => known.length > 0)
      await server.kill()
      // Only the kill may end the work: the text of an error response begins with its status.
      expect(String(await working)).not.toMatch(/^Error: \d{3}:/)
    } finally {
      await server.kill()
    }
  }
  const last = new ServerChild({ kind: 'plain', data, adminKey })
  try {
    await check(queuesOn(await last.listening()), known)
    expect(await last.stop()).toBe(0)
  } finally {
    await last.kill()
  }
  expect(known.length).toBeGreaterThan(0)
  await removeFolder(data)
}, 300_000)
