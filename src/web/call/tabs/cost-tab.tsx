import { formatCost, formatCount } from '../../format/number.ts'
import { usageText } from '../../text/parts.ts'
import { callText } from '../../text/trace/call.ts'
import type { Skeleton } from '../../trace/skeleton.ts'
import css from './cost-tab.module.css'
import { UsageBar, usageOf } from './usage-bar.tsx'

interface CostTabProps {
  readonly skeleton: Skeleton
  readonly row: number
}

/** Tokens and cost of a call: its own, and with everything below it. */
export default function CostTab({ skeleton, row }: CostTabProps) {
  const usage = row < 0 ? undefined : usageOf(skeleton, row)
  const total = row < 0 ? 0 : skeleton.totalTokens(row)
  if (!usage && total === 0) return <p class={css.none}>{callText.costNone}</p>
  const model = row < 0 ? undefined : skeleton.models[skeleton.model(row)]
  const totalCost = skeleton.totalCost(row)
  return (
    <div class={css.tab}>
      {usage && (
        <>
          <h3 class={css.head}>{model ?? callText.thisCall}</h3>
          <UsageBar usage={usage} />
          {usage.isRepeated && <p class={css.repeated}>{usageText.repeatedWhy}</p>}
          <table class={css.table}>
            <tbody>
              <Row name={callText.inputTokens} value={formatCount(usage.cached + usage.fresh)} />
              {usage.cached > 0 && <Row name={callText.cached} value={formatCount(usage.cached)} isPart />}
              {usage.cached > 0 && <Row name={callText.new} value={formatCount(usage.fresh)} isPart />}
              <Row name={callText.outputTokens} value={formatCount(usage.out)} />
              <Row
                name={callText.cost}
                value={Number.isNaN(usage.cost) ? callText.costUnknown : formatCost(usage.cost)}
                isStrong
              />
            </tbody>
          </table>
        </>
      )}
      {skeleton.descendantCount(row) > 0 && (
        <>
          <h3 class={css.head}>{callText.withInside}</h3>
          <table class={css.table}>
            <tbody>
              <Row name={callText.inside} value={formatCount(skeleton.descendantCount(row))} />
              <Row name={callText.totalTokens} value={formatCount(total)} />
              <Row
                name={callText.cost}
                value={Number.isNaN(totalCost) ? callText.costUnknown : formatCost(totalCost)}
                isStrong
              />
            </tbody>
          </table>
        </>
      )}
    </div>
  )
}

const Row = ({ name, value, isPart = false, isStrong = false }: RowProps) => (
  <tr data-part={isPart || undefined} data-strong={isStrong || undefined}>
    <th scope="row">{name}</th>
    <td>{value}</td>
  </tr>
)

interface RowProps {
  readonly name: string
  readonly value: string
  readonly isPart?: boolean
  readonly isStrong?: boolean
}
