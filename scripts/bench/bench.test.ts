import { afterAll, beforeAll, expect, test } from 'bun:test'
import { BenchRun } from './bench-run.ts'
import { benchmarks } from './benchmarks.ts'

const eachMsMax = 240_000

let bench: BenchRun
beforeAll(async () => {
  bench = await BenchRun.begin({ isTiny: true, profileFolder: undefined })
}, eachMsMax)
afterAll(() => bench[Symbol.asyncDispose]())

test.each(benchmarks.map((benchmark) => [benchmark.name, benchmark] as const))(
  'the benchmark %s works on tiny inputs',
  async (_name, benchmark) => {
    const figures = await benchmark.run(bench)
    expect(figures).not.toBeEmpty()
    for (const { value } of figures) expect(value).toBeFinite()
  },
  eachMsMax,
)
