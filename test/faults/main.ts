/** Simulates power losses, failing disks and kills; see scripts/suites/faults. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Command } from 'commander'
import { Random } from '../store/random.ts'
import { failingDisk, failures } from './failing.ts'
import { buildFaultFs, FaultFolder } from './fault-folder.ts'
import { powerLosses } from './losses.ts'

const { losses, lives, kills, seed } = new Command()
  .option('--losses <count>', 'power losses in all', Number, 180)
  .option('--lives <count>', 'servers that they come from', Number, 3)
  .option('--kills <count>', 'kills of a server under load', Number, 300)
  .option('--seed <number>', 'for random numbers', Number, Math.floor(Math.random() * 2 ** 31))
  .parse()
  .opts<{ losses: number; lives: number; kills: number; seed: number }>()

let passed = 0
let failed = 0
const tally = (what: string, faults: readonly string[]): void => {
  if (faults.length === 0) passed++
  else {
    failed++
    console.log(`(fail) ${what}`)
    for (const fault of faults.slice(0, 10)) console.log(`    ${fault}`)
  }
}

const build = mkdtempSync(join(tmpdir(), 'tracelake-fault-fs-'))
const program = await mountable()
if (program !== undefined) {
  for (let life = 0; life < lives; life++) {
    console.log(`== power losses, life ${life + 1} of ${lives} (--seed ${seed})`)
    await powerLosses(program, new Random(seed + life), Math.ceil(losses / lives), tally)
  }
  for (const failure of failures) {
    console.log(`== ${failure.what}`)
    await failingDisk(program, failure, new Random(seed), tally)
  }
}
if (kills > 0) await killUnderLoad()
rmSync(build, { recursive: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** The fault-injecting file system, if it can be mounted here. */
async function mountable(): Promise<string | undefined> {
  const built = buildFaultFs(build)
  try {
    if ('missing' in built) throw new Error(`there is no ${built.missing}`)
    await using _ = await FaultFolder.mount(built.program)
    return built.program
  } catch (cause) {
    console.log(`Skipped: power losses and failing disks need FUSE, and ${(cause as Error).message}`)
    console.log('In their place: failures that are injected below the store, in one process')
    await runTests('failures of the disk, injected', ['test/store/failing-disk.test.ts'])
    return undefined
  }
}

async function killUnderLoad(): Promise<void> {
  const env = { TRACELAKE_CRASH_ROUNDS: String(kills), TRACELAKE_TEST_SEED: String(seed) }
  await runTests(`${kills} kills under load`, ['test/crash/kill-during-load.test.ts'], env)
}

async function runTests(what: string, files: readonly string[], env: Record<string, string> = {}): Promise<void> {
  console.log(`== ${what} (--seed ${seed})`)
  const words = [process.execPath, 'test', '--timeout', '1800000', ...files]
  const child = Bun.spawn(words, { env: { ...process.env, ...env }, stdout: 'inherit', stderr: 'inherit' })
  tally(what, (await child.exited) === 0 ? [] : ['see above'])
}
