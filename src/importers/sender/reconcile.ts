import { toolLimits } from '../../lib/limits/tools.ts'
import { countCalls, countFeedback } from './call-lane.ts'
import type { Journal } from './journal.ts'
import type { ServerClient } from './server-client.ts'
import type { Tally } from './tally.ts'

const counters: Readonly<Record<string, typeof countCalls>> = {
  calls: countCalls,
  spans: countCalls,
  feedback: countFeedback,
}

/** Adds up the journal, and asks the server for the ids of what it has acknowledged. */
export async function reconcile(journal: Journal, client: ServerClient, tally: Tally): Promise<void> {
  const waiting = new Map<string, string[]>()
  const check = async (what: string, ids: readonly string[]) => {
    const countStored = counters[what]
    if (countStored === undefined) return
    const count = tally.of(what)
    const distinct = new Set(ids)
    const stored = await countStored(client, [...distinct])
    // A record that occurs twice in the source is stored once.
    count.stored = (count.stored ?? 0) + stored + (ids.length - distinct.size)
  }
  for await (const entry of journal.entries()) {
    const { what, sent = 0, refused = 0, ids = [] } = entry
    if (what === undefined || !journal.isCurrent(entry)) continue
    const count = tally.of(what)
    count.sent += sent
    count.refused += refused
    if (counters[what] === undefined) continue
    const pending = waiting.get(what) ?? []
    pending.push(...ids)
    waiting.set(what, pending)
    while (pending.length >= toolLimits.importCheckedTogether) {
      await check(what, pending.splice(0, toolLimits.importCheckedTogether))
    }
  }
  for (const [what, ids] of waiting) if (ids.length > 0) await check(what, ids)
}
