import { expect, test } from 'bun:test'
import { BenchRun } from './bench-run.ts'
import { benchmarks } from './benchmarks.ts'

const eachMsMax = 240_000

test.each(benchmarks.map((benchmark) => [benchmark.name, benchmark] as const))(
  'the benchmark %s works on tiny inputs',
  async (_name, benchmark) => {
    await using bench = await BenchRun.begin({ isTiny: true, profileFolder: undefined })
    const figures = await benchmark.run(bench)
    expect(figures).not.toBeEmpty()
    for (const { value } of figures) expect(value).toBeFinite()
  },
  eachMsMax,
)
