import type { QueryObserverResult } from '@tanstack/query-core'
import type { Comparison } from '../../../domains/evaluations/index.ts'
import { comparisonUrl, type LetteredRun } from '../../comparison/comparison-data.ts'
import { type Axis, Frontier } from '../../comparison/frontier.tsx'
import { ScoreCards } from '../../comparison/score-cards.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { comparisonText } from '../../text/evaluation/comparison.ts'
import css from './evaluation-compare-view.module.css'

interface FiguresProps {
  readonly verdicts: QueryObserverResult<Comparison>
  readonly runs: readonly LetteredRun[]
  /** Set against cost or latency. */
  readonly score: string
  readonly axis: Axis
  /** Opens the choice of scores and margins. */
  readonly onChange: () => void
}

/** The cards of the scores, how they were computed, and the drawing of the frontier. */
export function Figures({ verdicts, runs, score, axis, onChange }: FiguresProps) {
  const comparison = verdicts.data
  return (
    <div class={css.figures}>
      <div class={css.cards}>
        {verdicts.error && !comparison ? (
          <ErrorState error={verdicts.error} retry={() => void verdicts.refetch()} />
        ) : comparison === undefined ? (
          <LoadingRows columns="1fr 1fr 1fr" rows={4} height={40} what={comparisonText.drawing} />
        ) : (
          <ScoreCards
            comparison={comparison}
            runs={runs}
            onRows={(score) => comparisonUrl.commit({ by: score, show: 'changed', sort: 'loss' })}
          />
        )}
        <div class={css.methods}>
          <span>{comparison && comparisonText.methods(comparison.resamples, comparison.comparisons)}</span>
          <span>
            {comparisonText.sameIs}{' '}
            <button type="button" class={css.change} onClick={onChange}>
              {comparisonText.change}
            </button>
          </span>
        </div>
      </div>
      {comparison === undefined ? (
        !verdicts.error && (
          <div class={css.undrawn}>
            <LoadingRows columns="1fr" rows={5} height={36} what={comparisonText.drawing} />
          </div>
        )
      ) : (
        <Frontier
          comparison={comparison}
          runs={runs}
          score={score}
          axis={axis}
          onAxis={(next) => comparisonUrl.commit({ axis: next })}
        />
      )}
    </div>
  )
}
