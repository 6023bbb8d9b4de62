import { ChevronDown, ChevronUp, CircleHelp, Minus } from 'lucide'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import css from './verdict.module.css'

const looks = {
  better: { icon: ChevronUp, class: css.better },
  worse: { icon: ChevronDown, class: css.worse },
  same: { icon: Minus, class: undefined },
  'cannot tell': { icon: CircleHelp, class: undefined },
} as const

/** What a comparison says of a score. */
export type VerdictWord = keyof typeof looks

/** The word of a comparison, or other words in its look. */
export const Verdict = ({ verdict, words = verdict }: { verdict: VerdictWord; words?: string }) => (
  <span class={classNames(css.verdict, looks[verdict].class)}>
    <Icon of={looks[verdict].icon} size={14} />
    {words}
  </span>
)
