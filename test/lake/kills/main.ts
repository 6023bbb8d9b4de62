/**
 * Kills and pauses the nodes of one lake under load, and compares what they accepted with what the
 * lake contains. See docs/reliability.md.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { removeFolder } from '../../conformance/support/temp-folder.ts'
import { Random } from '../../store/random.ts'
import { countedByOthers } from './count.ts'
import { type Event, planOf } from './events.ts'
import { Load } from './load.ts'
import { NodePair, SupervisedNode } from './node-pair.ts'
import { Report } from './report.ts'
import { Waits } from './roaming-client.ts'

const settleMsMax = 1_500
const flushChance = 0.4

const options = new Command('kills')
  .description('Kills and pauses the two nodes of a lake under load.')
  .requiredOption('--endpoint <url>', 'of the object store, which has a bucket "lake"')
  .option('--kills <count>', 'how many, at least', Number, 30)
  .option('--pauses <count>', 'how many beyond the lease, at least', Number, 10)
  .option('--every <count>', 'events between two comparisons of everything', Number, 25)
  .option('--pace <ms>', 'mean pause between two requests of a client', Number, 120)
  .option('--only <words>', 'only events whose names contain these words')
  .option('--python <file>', 'Python with deltalake, pyarrow and chdb, which count at the end')
  .option('--seed <number>', 'for random numbers', Number, Math.floor(Math.random() * 2 ** 31))
  .parse()
  .opts<{
    endpoint: string
    kills: number
    pauses: number
    every: number
    pace: number
    only?: string
    python?: string
    seed: number
  }>()

const random = new Random(options.seed)
const prefix = `kills-${crypto.randomUUID()}`
const folder = await mkdtemp(join(tmpdir(), 'lake-kills-'))
const report = new Report()
let isOver = false
// What was accepted until then is counted.
process.once('SIGTERM', () => {
  isOver = true
})
const waits = new Waits()
const env = {
  TRACELAKE_LOG_LEVEL: 'info',
  TRACELAKE_LAKE: `s3://lake/${prefix}`,
  AWS_ENDPOINT_URL_S3: options.endpoint,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'us-east-1',
}
const plan = planOf(options.kills, options.pauses, random, options.only)
console.log(`== kills and pauses: ${plan.length} events, --seed ${options.seed}, ledgers in ${folder}`)
const pair = new NodePair(
  () => new SupervisedNode(folder, env, new Random(random.below(2 ** 31)), (line) => report.note(line)),
)
const due = new Map<string, readonly string[]>()
const counts = new Map<string, number>()

try {
  await pair.settled()
  for (let first = 0; first < plan.length && !isOver; first += options.every)
    await runRound(`r${first / options.every}`, plan.slice(first, first + options.every))
  await pair.close()
  report.compare('tracelake counts', counts, due)
  if (options.python !== undefined)
    report.addFaults(await countedByOthers({ python: options.python, endpoint: options.endpoint, prefix, folder, due }))
} finally {
  await pair.close()
}
report.print()
if (report.faults.length === 0) await removeFolder(folder)
console.log(`${report.passed} passed, ${report.faults.length} failed`)
process.exit(report.faults.length === 0 ? 0 : 1)

/** Some events under one load, and then a comparison of everything that it has sent. */
async function runRound(name: string, events: readonly Event[]): Promise<void> {
  const { addresses } = pair
  const load = new Load({ name, folder, addresses, random, paceMs: options.pace }, waits)
  for (const event of events) {
    if (isOver) break
    const { owner, standby } = await pair.settled()
    await accepted(load, 10)
    await Bun.sleep(random.below(settleMsMax))
    waits.take()
    if (random.chance(flushChance)) {
      void load.flush()
      await Bun.sleep(random.below(300))
    }
    await event.run({ owner, standby, random })
    await accepted(load, 10)
    const wait = waits.take()
    report.add(event, wait)
    const [refused, answered] = [wait.refusedMs, wait.answeredMs].map((ms) => (ms / 1_000).toFixed(2))
    console.log(`  ${event.name}: refused for ${refused} s, answered after ${answered} s`)
  }
  await load.end()
  await pair.settled()
  const faults = await load.faults()
  report.addFaults(faults.map((fault) => `${name}: ${fault}`))
  await load.flush()
  for (const [project, ids] of load.dueCalls()) due.set(project, ids)
  for (const [project, count] of await load.counts()) counts.set(project, count)
  console.log(`  ${name}: ${report.line}; ${load.accepted} requests accepted, ${faults.length} faults`)
}

async function accepted(load: Load, more: number): Promise<void> {
  const before = load.accepted
  while (load.accepted < before + more) {
    load.assertRunning()
    await Bun.sleep(20)
  }
}
