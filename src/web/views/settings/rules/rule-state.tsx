import type { CallRule } from '../../../api/rules.ts'
import { Badge } from '../../../components/display/badge.tsx'
import { formatCost } from '../../../format/number.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import css from '../settings.module.css'

const tones = { active: 'ok', paused: 'neutral', failing: 'error', capped: 'warn' } as const

/** Whether a rule works, and why not. */
export function RuleState({ rule: { status, daily_cost_max } }: { readonly rule: CallRule }) {
  const { state, error, capped_until } = status
  return (
    <>
      <Badge tone={tones[state]} tip={error ?? undefined}>
        {rulesText.states[state]}
      </Badge>
      {state === 'capped' && capped_until !== null && daily_cost_max !== null && (
        <span class={css.hint}>
          {rulesText.capped(`${capped_until.slice(11, 16)} UTC`, formatCost(daily_cost_max))}
        </span>
      )}
    </>
  )
}
