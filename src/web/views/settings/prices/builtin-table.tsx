import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'
import { IconButton } from '../../../components/controls/button.tsx'
import { Badge } from '../../../components/display/badge.tsx'
import { Table } from '../../../components/display/table.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatDate } from '../../../format/time.ts'
import { canWrite } from '../../../state/session.ts'
import { partsText } from '../../../text/parts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { pricesText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import { type BuiltinModel, currentBuiltin, nameInCalls } from './builtin-price.ts'
import { dollarWords } from './price-words.ts'

type BuiltinPrice = BuiltinModel['prices'][number]

/**
 * The built-in price of each model that holds now; opened, those before, those of long requests,
 * and those of times of day.
 */
export function BuiltinTable({ models, onReplace }: BuiltinTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setOpen(open.has(id) ? open.difference(new Set([id])) : new Set([...open, id]))
  const rows = models.flatMap((model) => {
    const { llm_id: id, provider_name: provider, prices } = model
    const current = currentBuiltin(prices, Date.now())
    const isOpen = open.has(id)
    const hasMore = prices.length > 1 || prices.some(({ tiers }) => tiers.length > 0)
    const head = {
      id,
      cells: {
        ...cellsOf(current),
        model: (
          <span class={css.name}>
            {hasMore ? (
              <IconButton
                of={isOpen ? ChevronDown : ChevronRight}
                label={pricesText.history(id)}
                aria-expanded={isOpen}
                size="compact"
                onClick={() => toggle(id)}
              />
            ) : (
              <span class={css.noChevron} />
            )}
            <span>
              <b>{nameInCalls(model)}</b> <span class={css.dim}>{provider}</span>
            </span>
          </span>
        ),
        from: startOf(current),
        menu: canWrite.value && (
          <MenuButton
            label={accessText.actions(id)}
            side="end"
            size="compact"
            items={[{ label: pricesText.replace, run: () => onReplace(model) }]}
          />
        ),
      },
    }
    return isOpen ? [head, ...prices.flatMap((price, at) => detailsOf(id, at, price, price === current))] : [head]
  })
  return (
    <Table
      label={pricesText.builtin}
      columns={[
        { id: 'model', name: pricesText.model, isWide: true },
        { id: 'input', name: pricesText.input, isNumber: true },
        { id: 'cacheRead', name: pricesText.cacheRead, isNumber: true, isExtra: true },
        { id: 'cacheWrite', name: pricesText.cacheWrite, isNumber: true, isExtra: true },
        { id: 'output', name: pricesText.output, isNumber: true },
        { id: 'from', name: pricesText.from, isNumber: true, isExtra: true },
        { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
      ]}
      rows={rows}
    />
  )
}

interface BuiltinTableProps {
  readonly models: readonly BuiltinModel[]
  readonly onReplace: (model: BuiltinModel) => void
}

/** Rows of one price: itself, then those of its tiers. */
function detailsOf(id: string, at: number, price: BuiltinPrice, isCurrent: boolean) {
  const { time_of_day: times, effective_date: start, tiers } = price
  const words =
    times !== null
      ? pricesText.daily(times.start.slice(0, 5), times.end.slice(0, 5))
      : start !== null && Date.parse(start) > Date.now()
        ? pricesText.later
        : pricesText.earlier
  const row = (key: string, label: preact.ComponentChildren, from: string, of: TokenCosts) => ({
    id: `${id} ${at} ${key}`,
    isOff: !isCurrent && times === null,
    cells: { ...cellsOf(of), model: <span class={css.earlier}>{label}</span>, from },
  })
  return [
    row('', isCurrent ? <Badge tone="ok">{pricesText.now}</Badge> : words, startOf(price), price),
    ...tiers.map((tier) => row(String(tier.above), pricesText.above(formatCount(tier.above)), '', tier)),
  ]
}

type TokenCosts = Pick<
  BuiltinPrice,
  'prompt_token_cost' | 'completion_token_cost' | 'cache_read_input_token_cost' | 'cache_creation_input_token_cost'
>

const startOf = ({ effective_date: start }: BuiltinPrice): string => (start === null ? '' : formatDate(start))

const cellsOf = (price: TokenCosts) => ({
  input: dollarWords(price.prompt_token_cost),
  cacheRead: dollarWords(price.cache_read_input_token_cost),
  cacheWrite: dollarWords(price.cache_creation_input_token_cost),
  output: dollarWords(price.completion_token_cost),
})
