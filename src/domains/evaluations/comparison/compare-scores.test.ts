import { expect, test } from 'bun:test'
import { seededRandom } from '../../../lib/seeded-random.ts'
import { compareScores, type RunValues, type ScoreValues } from './compare-scores.ts'

const signal = new AbortController().signal

const rows = 30

function runOf(evaluationId: string, value: () => number): RunValues {
  const ones = () => new Uint32Array(rows).fill(1)
  const values = Float64Array.from({ length: rows }, value)
  return { evaluationId, values, trials: ones(), failed: new Uint32Array(rows) }
}

/** The share of verdicts other than "same" and "cannot tell" over many pairs of runs. */
async function shareOfVerdicts(value: (random: () => number) => number, isRate: boolean): Promise<number> {
  let verdicts = 0
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed)
    const baseline = runOf('a', () => value(random))
    const runs = [baseline, runOf('b', () => value(random))]
    const score: ScoreValues = { score: 's', isRate, margin: 0, lowerIsBetter: false, baseline, runs }
    const { scores } = await compareScores([score], { resamples: 2_000, signal })
    const verdict = scores[0]?.runs[1]?.difference?.verdict
    if (verdict !== 'same' && verdict !== 'cannot tell') verdicts++
  }
  return verdicts / 200
}

test('two runs of 30 rows from one distribution are seldom told apart', async () => {
  const shares = [
    await shareOfVerdicts((random) => Number(random() < 0.7), true),
    await shareOfVerdicts((random) => random(), false),
    await shareOfVerdicts((random) => Math.ceil(random() * 5), false),
    // Skewed, as costs and latencies are.
    await shareOfVerdicts((random) => -Math.log(1 - random()), false),
  ]
  for (const share of shares) expect(share).toBeLessThanOrEqual(0.05)
})
