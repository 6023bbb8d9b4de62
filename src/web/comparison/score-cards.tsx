import type { Comparison, ScoreOfRun } from '../../domains/evaluations/index.ts'
import { differenceRangeText, differenceText, pValueText, rangeText, scoreText } from '../../lib/comparison-words.ts'
import { formatCount } from '../format/number.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import type { LetteredRun } from './comparison-data.ts'
import { RunMark, RunShape, runColor, runLetter } from './run-mark.tsx'
import css from './score-cards.module.css'
import { Verdict } from './verdict.tsx'

type Score = Comparison['scores'][number]

interface ScoreCardsProps {
  readonly comparison: Comparison
  readonly runs: readonly LetteredRun[]
  /** Shows the rows behind a word. */
  readonly onRows: (score: string) => void
}

/** A card a score: the baseline, and each run with its difference, interval and verdict. */
export const ScoreCards = ({ comparison, runs, onRows }: ScoreCardsProps) => (
  <div class={css.cards} role="group" aria-label={comparisonText.scores} tabIndex={0}>
    {comparison.scores.map((score) => (
      <ScoreCard key={`score ${score.score}`} score={score} {...{ comparison, runs, onRows }} />
    ))}
    {comparison.measures.map((score) => (
      <ScoreCard key={`measure ${score.score}`} score={score} isMeasure {...{ comparison, runs, onRows }} />
    ))}
  </div>
)

function ScoreCard({
  score,
  comparison,
  runs,
  isMeasure = false,
  onRows,
}: ScoreCardsProps & { readonly score: Score; readonly isMeasure?: boolean }) {
  const scale = scaleOf(score)
  const names = new Map(comparison.runs.map((run, index) => [run.evaluation_call_id, runs[index]]))
  const baseline = score.runs.find(({ difference }) => difference === null)
  const base = baseline && names.get(baseline.evaluation_call_id)
  const differing = comparison.differing_versions.find(
    ({ kind, name }) => kind === 'scorer' && name === score.score.split('.')[0],
  )
  return (
    <section class={css.card} aria-label={score.score}>
      <h2 class={css.name}>
        <bdi>{score.score}</bdi>
        <span>
          {isMeasure ? comparisonText.measureUnit(score.score) : comparisonText.unit(score.kind, score.lower_is_better)}
        </span>
      </h2>
      {baseline && base && (
        <div class={css.baseline}>
          <RunMark place={base.place} />
          <strong class={css.value}>{scoreText(score.kind, baseline.value)}</strong>
          <span class={css.small}>
            {[rangeText(score.kind, baseline), `n ${formatCount(baseline.scored_rows)}`].filter(Boolean).join(', ')}
          </span>
          <Missing run={baseline} />
          <span class={css.end}>{comparisonText.baseline}</span>
        </div>
      )}
      {score.runs.map((run) => {
        const named = names.get(run.evaluation_call_id)
        const other = differing?.versions.find(({ evaluation_call_ids: ids }) => ids.includes(run.evaluation_call_id))
        const own = differing?.versions.find(({ evaluation_call_ids: ids }) =>
          ids.includes(baseline?.evaluation_call_id ?? ''),
        )
        return (
          run.difference &&
          named && (
            <button
              type="button"
              key={run.evaluation_call_id}
              class={css.run}
              onClick={() => onRows(score.score)}
              disabled={isMeasure}
            >
              <RunMark place={named.place} />
              <strong class={css.value}>{scoreText(score.kind, run.value)}</strong>
              <span class={css.middle}>
                <span class={css.small}>
                  <b>{differenceText(score.kind, run.difference.value)}</b>{' '}
                  {differenceRangeText(score.kind, run.difference)}, n {formatCount(run.difference.pairs)}
                  <Missing run={run} />
                  {baseline && base && <Unpaired run={run} baseline={baseline} letter={runLetter(base.place)} />}
                </span>
                <Strip score={score} run={run} scale={scale} place={named.place} />
              </span>
              <span class={css.end} data-tip={comparisonText.verdictTip(comparison.comparisons)}>
                <Verdict verdict={run.difference.verdict} />
                <span class={css.p}>
                  {other !== undefined && other !== own && <i>{comparisonText.otherVersion(other.version_index)} </i>}
                  {pValueText(run.difference.p_corrected)}
                </span>
              </span>
            </button>
          )
        )
      })}
    </section>
  )
}

/** Rows that are in no figure. */
function Missing({ run: { missing_rows, failed_rows, unscored_rows } }: { run: ScoreOfRun }) {
  const words = comparisonText.notScored({ missing_rows, failed_rows, unscored_rows })
  return words === '' ? null : <span class={css.missing}>{words}</span>
}

interface UnpairedProps {
  readonly run: ScoreOfRun
  readonly baseline: ScoreOfRun
  readonly letter: string
}

/**
 * Rows that count in the score of the run, and not in its difference: said where the baseline lacks
 * rows, as after a change of the dataset.
 */
function Unpaired({ run: { scored_rows: scored, difference }, baseline, letter }: UnpairedProps) {
  const left = scored - (difference?.pairs ?? scored)
  return left === 0 || baseline.missing_rows === 0 ? null : (
    <span class={css.missing} data-tip={comparisonText.unpairedTip(letter)}>
      {comparisonText.unpaired(left)}
    </span>
  )
}

/** The largest end of an interval of a card, rounded up: its strips have one scale. */
function scaleOf({ runs, margin }: Score): number {
  const ends = runs.flatMap(({ difference }) => (difference ? [difference.low, difference.high, difference.value] : []))
  const largest = Math.max(margin * 1.5, ...ends.map((end) => Math.abs(end ?? 0)))
  if (largest === 0) return 1
  const unit = 10 ** Math.floor(Math.log10(largest))
  return ([1, 2, 2.5, 5, 10].find((step) => step * unit >= largest) ?? 10) * unit
}

const width = 156
const height = 14

function Strip({ score, run, scale, place }: { score: Score; run: ScoreOfRun; scale: number; place: number }) {
  const { difference } = run
  if (difference === null || difference.pairs === 0) return <span class={css.small}>{comparisonText.noPair}</span>
  const at = (value: number) => width / 2 + (value / scale) * (width / 2 - 8)
  const margin = at(score.margin) - width / 2
  const { low, high, value } = difference
  return (
    <svg
      class={css.strip}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={comparisonText.strip(runLetter(place))}
    >
      <rect x={width / 2 - margin} width={2 * margin} height={height} class={css.margin} />
      <path d={`M${width / 2} 0V${height}`} class={css.zero} />
      {low !== null && high !== null && (
        <path d={`M${at(low)} 4V10M${at(low)} 7H${at(high)}M${at(high)} 4V10`} class={css.interval} />
      )}
      {value !== null && (
        <g transform={`translate(${at(value) - 5} 2) scale(${10 / 12})`} class={runColor(place)}>
          <RunShape place={place} />
        </g>
      )}
    </svg>
  )
}
