import type { ComponentChildren } from 'preact'
import { formatCount, formatShare } from '../format/number.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'
import type { JudgeCheckFigures } from './check-data.ts'
import css from './figures.module.css'

const twoPlaces = (value: number): string => value.toFixed(2)

/** Agreement and kappa with their intervals, and what entered them. */
export function CheckFigures({ check }: { check: JudgeCheckFigures }) {
  const { agreement, kappa, pair_count: pairs, row_count: rows } = check
  return (
    <dl class={css.figures}>
      <Fact name={words.agreement} tip={words.agreementTip} note={noteOf(agreement, formatShare, pairs)}>
        {agreement === null ? '–' : formatShare(agreement.value)}
      </Fact>
      <Fact name={words.kappa} tip={words.kappaTip} note={noteOf(kappa, twoPlaces, pairs)}>
        {kappa === null ? '–' : twoPlaces(kappa.value)}
      </Fact>
      <Fact name={words.pairs} note={words.pairsOf(rows)}>
        {formatCount(pairs)}
      </Fact>
    </dl>
  )
}

function noteOf(
  estimate: JudgeCheckFigures['kappa'],
  text: (value: number) => string,
  pairs: number,
): string | undefined {
  if (estimate === null) return pairs < 10 ? words.tooFew(pairs) : words.noInterval
  const { low, high } = estimate
  return low === null || high === null ? words.noInterval : words.interval(text(low), text(high))
}

interface FactProps {
  readonly name: string
  readonly tip?: string
  readonly note?: string | undefined
  readonly children: ComponentChildren
}

const Fact = ({ name, tip, note, children }: FactProps) => (
  <div data-tip={tip}>
    <dt>{name}</dt>
    <dd>
      <b>{children}</b>
      {note && <small>{note}</small>}
    </dd>
  </div>
)
