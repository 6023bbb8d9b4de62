import { setTimeout as sleep } from 'node:timers/promises'
import { inBatches, type Trace } from '../../src/demo/traces/call-items.ts'
import { inTimeOrder } from '../../src/demo/traces/timeline.ts'
import { compare, formatComparisons } from './compare.ts'
import { Ledger } from './ledger.ts'
import type { SendOptions } from './options.ts'
import { PatientClient } from './patient-client.ts'
import { showProgress } from './progress.ts'
import { Tally } from './tally.ts'

/**
 * Sends `traces` (ordered by their starts; asked for twice) and compares what the server then holds
 * with what was sent.
 *
 * @returns whether they agree.
 */
export async function sendTraces(traces: () => Iterable<Trace>, options: SendOptions): Promise<boolean> {
  const tally = Tally.of(traces())
  console.log(`Sending ${tally.calls} calls of ${tally.traceIds.length} traces to ${options.url}, ${options.project}`)
  const progress = showProgress(tally.items)
  let done = 0
  const client = new PatientClient({
    url: options.url,
    key: options.key,
    onWait: (reason, waitMs) => progress.update(done, `again in ${waitMs} ms: ${reason}`),
  })
  const ledger = options.ledger === undefined ? undefined : new Ledger(options.ledger)
  const startedMs = Date.now()
  try {
    for (const { items, body } of inBatches(inTimeOrder(traces()))) {
      await client.post('/call/upsert_batch', body)
      await ledger?.record(items)
      done += items.length
      progress.update(done)
      if (options.rate !== undefined) await sleep(startedMs + (done / options.rate) * 1000 - Date.now())
    }
  } finally {
    progress.stop()
  }
  const seconds = (Date.now() - startedMs) / 1000
  console.log(
    `Sent in ${seconds.toFixed(1)} s, ${Math.round(done / Math.max(seconds, 0.001))} starts and ends a second`,
  )

  const comparisons = await compare(client, options.project, tally)
  console.log(formatComparisons(comparisons))
  const agreed = comparisons.every(({ sent, held }) => sent === held)
  console.log(agreed ? 'The server holds what was sent.' : 'The server holds something else than what was sent.')
  return agreed
}
