import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command } from 'commander'
import { BenchRun } from './bench-run.ts'
import { benchmarks } from './benchmarks.ts'
import { describeMachine, loadAverages } from './machine.ts'
import { machineLine, type Outcome, outcomeTable } from './report.ts'

interface Options {
  readonly tiny: boolean
  readonly calls?: number
  readonly minutes?: number
  readonly json?: string
  readonly profile?: string
  readonly before?: string
  readonly victoriaTraces?: string
  readonly chdb?: string
}

const names = benchmarks.map(({ name }) => name)
const onRequest = benchmarks.flatMap(({ name, isOnRequest }) => (isOnRequest ? [name] : [])).join(', ')
const command = new Command('bench')
  .description(
    'Measures a server of its own, in a temporary folder, and beside each figure the ceiling of the same machine in the same run. ' +
      'docs/performance.md says how to read the tables.',
  )
  .argument('[names...]', `which benchmarks: ${names.join(', ')} (default: all but ${onRequest})`)
  .option('--tiny', 'very small inputs: shows that the benchmarks work, measures nothing', false)
  .option('--calls <count>', 'calls in the store of the reading benchmarks (default: a million)', Number)
  .option('--minutes <count>', 'how long "mixed-load" runs (default: 5)', Number)
  .option('--json <file>', 'write the figures to a file')
  .option('--profile <folder>', 'write a CPU profile of each server there; slows the servers down')
  .option('--before <folder>', 'another checkout, which some benchmarks measure, too')
  .option('--victoria-traces <file>', 'the program of a VictoriaTraces server, for "peers"')
  .option('--chdb <file>', 'a Python with the package chdb, for "heavy-questions"')
  .parse()

const options = command.opts<Options>()
const unknown = command.args.filter((name) => !names.includes(name))
if (unknown.length > 0)
  command.error(`Run ${unknown.join(', ')}: there is no such benchmark; there are ${names.join(', ')}`)

if (options.calls !== undefined && !(Number.isInteger(options.calls) && options.calls >= 2_000))
  command.error(`Run with ${options.calls} calls: give a whole number of 2,000 or more`)

if (options.minutes !== undefined && !(options.minutes > 0))
  command.error(`Run for ${options.minutes} minutes: give a number above 0`)

const machine = describeMachine()
const outcomes: Outcome[] = []
console.log(`${machineLine(machine)}\n`)
await using bench = await BenchRun.begin({
  isTiny: options.tiny,
  storedCalls: options.calls,
  minutes: options.minutes,
  checkoutBefore: options.before === undefined ? undefined : path.resolve(options.before),
  chdb: options.chdb === undefined ? undefined : path.resolve(options.chdb),
  victoriaTraces: options.victoriaTraces === undefined ? undefined : path.resolve(options.victoriaTraces),
  profileFolder: options.profile === undefined ? undefined : path.resolve(options.profile),
})
for (const { name, description, isOnRequest, comparesVariants = false, run } of benchmarks) {
  if (command.args.length > 0 ? !command.args.includes(name) : isOnRequest && !options.tiny) continue
  bench.note(name)
  const loadBefore = loadAverages()
  const startMs = performance.now()
  const figures = await run(bench)
  const outcome = {
    benchmark: name,
    description,
    loadBefore,
    comparesVariants,
    seconds: (performance.now() - startMs) / 1000,
    figures,
  }
  outcomes.push(outcome)
  console.log(outcomeTable(outcome))
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ machine, outcomes }, null, 2)}\n`)
