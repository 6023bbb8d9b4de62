import { afterRun } from '../../conformance/support/after-run.ts'

const stopMsMax = 120_000

/** Things that all files of a test run share, each made when it is first asked for. */
interface RunWide {
  readonly made: Map<string, Promise<AsyncDisposable>>
}

const runWideSymbol = Symbol.for('tracelake.ui.run-wide')
const globals = globalThis as unknown as Record<symbol, RunWide | undefined>

/**
 * Makes the files of this test run share a browser and its servers, and stops them after the last.
 * Called by `preload.ts`.
 */
export function shareBrowserAmongFiles(): void {
  const runWide: RunWide = { made: new Map() }
  globals[runWideSymbol] = runWide
  afterRun(async () => {
    const made = await Promise.allSettled([...runWide.made.values()].toReversed())
    for (const each of made) if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]()
  }, stopMsMax)
}

/** What `make` made when `name` was first asked for in this run. */
export function sharedInRun<Thing extends AsyncDisposable>(name: string, make: () => Promise<Thing>): Promise<Thing> {
  const runWide = globals[runWideSymbol]
  if (runWide === undefined)
    throw new Error('Share a browser among tests: bunfig.toml has to preload support/preload.ts')
  const made = runWide.made.get(name) ?? make()
  runWide.made.set(name, made)
  return made as Promise<Thing>
}
