import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { BenchRun } from '../../scripts/bench/bench-run.ts'
import { benchmarks } from '../../scripts/bench/benchmarks.ts'

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

test.each(benchmarks.map(({ name }) => name))('docs/performance.md quotes the benchmark %s', async (name) => {
  const results = await Bun.file(path.join(import.meta.dir, '../../docs/performance.md')).text()
  expect(results).toMatch(new RegExp(`\\b${name}\\b`))
})
