import { formatDuration } from '../format/duration.ts'
import { formatBytes } from '../format/number.ts'
import { tableText } from '../text/table.ts'
import { asksForCost, type CallPages, setAsksForCost } from './call-pages.ts'
import css from './page-cost.module.css'

/** The time that the first page took; pressed, also what the server read for it. */
export function PageCost({ pages, onAsk }: { pages: CallPages; onAsk: () => void }) {
  const ms = pages.firstPageMs.value
  if (ms === undefined) return null
  const isShown = asksForCost.value
  const cost = pages.cost.value
  const toggle = (): void => {
    setAsksForCost(!isShown)
    if (!isShown && cost === undefined) onAsk()
  }
  return (
    <>
      <button type="button" class={css.time} aria-pressed={isShown} data-tip={tableText.costTip} onClick={toggle}>
        {formatDuration(ms)}
        <span class="sr-only">, {tableText.costTip}</span>
      </button>
      {isShown && cost && (
        <span>
          {tableText.cost(
            cost.files,
            cost.groups,
            cost.bytes.replace(/\d+/, (count) => formatBytes(+count)),
          )}
          {cost.searched &&
            tableText.searched(cost.searched.engine, formatDuration(cost.searched.ms), cost.searched.reason)}
        </span>
      )}
    </>
  )
}
