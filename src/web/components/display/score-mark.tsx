import { Check, X } from 'lucide'
import { formatNumber } from '../../format/number.ts'
import type { ScoreType, ScoreValue } from '../../format/score-type.ts'
import { Icon } from './icon.tsx'
import css from './score-mark.module.css'

/** A score as all of its name are shown: with a tick or a cross, as a number, or as text. */
export function ScoreMark({ value, type }: { value: ScoreValue; type: ScoreType }) {
  const isGood = value === true || value === 1
  return (
    <>
      {type === 'verdict' && (
        <span class={isGood ? css.good : css.bad}>
          <Icon of={isGood ? Check : X} size={14} />
        </span>
      )}
      <span class="cut">{typeof value === 'number' ? formatNumber(value) : String(value)}</span>
    </>
  )
}
