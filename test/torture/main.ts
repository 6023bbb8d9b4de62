/** Torture: what the machine can do to a data folder, over and over. See docs/reliability.md. */
import process from 'node:process'
import { Command, Option } from 'commander'
import { type Canary, canaries } from './files/faulty-disk.ts'
import { Report } from './report.ts'
import { type Section, sections } from './sections.ts'

interface Options {
  readonly hours?: number
  readonly minutes?: number
  readonly count?: number
  readonly seed: number
  readonly canary?: Canary
  readonly only: readonly string[]
}

const names = Object.keys(sections)
const options = new Command('torture')
  .description('Fault injection, power losses, kills and random sequences, compared with a model.')
  .option('--hours <number>', 'how long, in all', Number)
  .option('--minutes <number>', 'how long, in all', Number)
  .option('--count <number>', 'rounds of each section instead of a time', Number)
  .option('--seed <number>', 'for random numbers; each round adds one', Number, Math.floor(Math.random() * 2 ** 31))
  .option('--only <names>', `sections, separated by commas: ${names.join(', ')}`, (text) => text.split(','), names)
  .addOption(new Option('--canary <name>', 'a deliberate fault that must be found').choices(canaries))
  .addHelpText(
    'after',
    `\n${Object.entries(sections)
      .map(([name, { what }]) => `  ${name.padEnd(9)} ${what}`)
      .join('\n')}`,
  )
  .parse()
  .opts<Options>()

const unknown = options.only.filter((name) => sections[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no section "${unknown[0]}". Sections: ${names.join(', ')}`)
  process.exit(2)
}

const minutes = options.minutes ?? (options.hours === undefined ? undefined : options.hours * 60)
const totalMs = (minutes ?? (options.count === undefined ? 10 : Number.POSITIVE_INFINITY)) * 60_000
const chosen = options.only.map((name) => [name, sections[name]!] as const)
let failed = 0
let checks = 0

for (const [name, section] of chosen) await runSection(name, section, totalMs / chosen.length)
console.log(`${checks - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function runSection(name: string, section: Section, ms: number): Promise<void> {
  console.log(`== ${name}: ${section.what} (--seed ${options.seed})`)
  if (section.isPossible?.() === false) {
    console.log('  skipped: this machine does not allow it')
    return
  }
  const report = new Report()
  const endMs = performance.now() + ms
  const isOver = (): boolean => performance.now() > endMs
  // A canary has done its work once it is found.
  const isEnough = (): boolean => isOver() || (options.canary !== undefined && report.failed > 0)
  for (let round = 0; round < (options.count ?? Number.POSITIVE_INFINITY) && !isEnough(); round++)
    await section.round(options.seed + round, report, { isOver, canary: options.canary })
  console.log(`  ${name}: ${report.line}`)
  failed += report.failed
  checks += report.count('checks')
}
