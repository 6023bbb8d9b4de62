import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'
import type { Price } from '../../../api/settings.ts'
import { IconButton } from '../../../components/controls/button.tsx'
import { Badge } from '../../../components/display/badge.tsx'
import { Table } from '../../../components/display/table.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { formatDate, formatFullTime } from '../../../format/time.ts'
import { canWrite } from '../../../state/session.ts'
import { partsText } from '../../../text/parts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { pricesText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import type { PriceHistory } from './price-history.ts'
import { dollarWords } from './price-words.ts'

/** The price of each model that holds now; opened, those before and after. */
export function PriceTable({ histories, nameOf, onChange, onRemove }: PriceTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (model: string) =>
    setOpen(open.has(model) ? open.difference(new Set([model])) : new Set([...open, model]))
  const menuOf = (price: Price, isHead: boolean) =>
    canWrite.value && (
      <MenuButton
        label={accessText.actions(isHead ? price.llm_id : `${price.llm_id}, ${startWords(price)}`)}
        side="end"
        size="compact"
        items={[
          ...(isHead ? [{ label: pricesText.change, run: () => onChange(price) }] : []),
          { label: pricesText.remove, danger: true, run: () => onRemove(price) },
        ]}
      />
    )
  const rows = histories.flatMap(({ model, prices, current }) => {
    const head = current ?? prices.at(-1)
    if (head === undefined) return []
    const isOpen = open.has(model)
    const first = {
      id: model,
      cells: {
        ...cellsOf(head, nameOf),
        model: (
          <span class={css.name}>
            <IconButton
              of={isOpen ? ChevronDown : ChevronRight}
              label={pricesText.history(model)}
              aria-expanded={isOpen}
              size="compact"
              onClick={() => toggle(model)}
            />
            <span>
              <b>{model}</b> {prices.length > 1 && <span class={css.dim}>{pricesText.count(prices.length)}</span>}
            </span>
            {current === undefined && <Badge tone="warn">{pricesText.later}</Badge>}
          </span>
        ),
        menu: menuOf(head, true),
      },
    }
    const others = prices.map((price) => ({
      id: price.id,
      isOff: price !== current,
      cells: {
        ...cellsOf(price, nameOf),
        model: (
          <span class={css.earlier}>
            {price === current ? (
              <Badge tone="ok">{pricesText.now}</Badge>
            ) : (
              <span>{Date.parse(price.effective_date ?? '') > Date.now() ? pricesText.later : pricesText.earlier}</span>
            )}
          </span>
        ),
        menu: menuOf(price, false),
      },
    }))
    return isOpen ? [first, ...others] : [first]
  })
  return (
    <Table
      label={settingsText.sections.prices}
      columns={[
        { id: 'model', name: pricesText.model, isWide: true },
        { id: 'input', name: pricesText.input, isNumber: true },
        { id: 'cacheRead', name: pricesText.cacheRead, isNumber: true, isExtra: true },
        { id: 'cacheWrite', name: pricesText.cacheWrite, isNumber: true, isExtra: true },
        { id: 'output', name: pricesText.output, isNumber: true },
        { id: 'from', name: pricesText.from, isNumber: true, isExtra: true },
        { id: 'by', name: pricesText.by, isNumber: true, isExtra: true },
        { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
      ]}
      rows={rows}
    />
  )
}

interface PriceTableProps {
  readonly histories: readonly PriceHistory[]
  readonly nameOf: (id: string) => string
  /** A new price follows this one. */
  readonly onChange: (price: Price) => void
  readonly onRemove: (price: Price) => void
}

const startWords = ({ effective_date }: Price): string => (effective_date === null ? '' : formatDate(effective_date))

const cellsOf = (price: Price, nameOf: (id: string) => string) => ({
  input: dollarWords(price.prompt_token_cost),
  cacheRead: dollarWords(price.cache_read_input_token_cost),
  cacheWrite: dollarWords(price.cache_creation_input_token_cost),
  output: dollarWords(price.completion_token_cost),
  from: price.effective_date !== null && (
    <span data-tip={formatFullTime(price.effective_date)}>{startWords(price)}</span>
  ),
  by: price.created_by !== null && (
    <span data-tip={price.created_at === null ? undefined : formatFullTime(price.created_at)}>
      {nameOf(price.created_by)}
    </span>
  ),
})
