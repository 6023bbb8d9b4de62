import { ArrowUpRight, Copy, Filter, FilterX } from 'lucide'
import type { RefObject } from 'preact'
import { statusName } from '../../components/display/statuses.ts'
import { Menu, type MenuItem } from '../../components/overlays/menu.tsx'
import { condition, type FilterNode } from '../../filter/expression.ts'
import { formatExact } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { showError } from '../../state/toasts.ts'
import { tableText } from '../../text/table.ts'
import type { CallRow } from '../call-row.ts'
import type { KnownColumn } from '../columns/known-columns.ts'
import type { CellFacts } from './cells.tsx'

/** A cell whose menu is open. */
export interface OpenCell {
  readonly row: CallRow
  readonly column: KnownColumn
  readonly anchor: HTMLElement
  readonly facts: CellFacts
}

/** Actions on the value of a cell: only these, not these, copy. */
export function CellMenu({ cell, onClose, onFilter, hrefOf }: CellMenuProps) {
  const anchor: RefObject<HTMLElement | null> = { current: cell.anchor }
  const value = filterValueOf(cell)
  const items: MenuItem[] = [
    ...(value
      ? [
          {
            icon: Filter,
            label: tableText.onlyThis(value.words),
            run: () => onFilter(condition(cell.column.path, '=', [value.value])),
          },
          {
            icon: FilterX,
            label: tableText.notThis(value.words),
            run: () => onFilter(condition(cell.column.path, '!=', [value.value])),
          },
        ]
      : []),
    ...bounds(cell).map(({ words, node }) => ({
      icon: Filter,
      label: tableText.onlyThis(words),
      run: () => onFilter(node),
    })),
    { icon: Copy, label: tableText.copyValue, separator: true, run: () => copy(textOf(cell)) },
    { icon: ArrowUpRight, label: tableText.openTrace, hint: '↵', href: hrefOf(cell.row) },
  ]
  return <Menu open onClose={onClose} anchor={anchor} items={items} label={tableText.cellMenu(cell.column.label)} />
}

interface CellMenuProps {
  readonly cell: OpenCell
  readonly onClose: () => void
  readonly onFilter: (node: FilterNode) => void
  readonly hrefOf: (row: CallRow) => string
}

function filterValueOf({
  row,
  column,
  facts,
}: OpenCell): { value: string | number | boolean; words: string } | undefined {
  const as = (value: string | null) => (value === null || value === '' ? undefined : { value, words: value })
  const text = facts.values?.[column.id]
  switch (column.kind) {
    case 'status':
      return { value: row.status, words: statusName(row.status) }
    case 'op':
      return as(wholeOpName(row.name))
    case 'name':
      return as(row.name)
    case 'thread':
      return as(row.threadId)
    case 'user':
      return as(row.userId)
    case 'model':
      return as(facts.usage?.models[0] ?? null)
    case 'value':
      return text ? { value: typed(text), words: text } : undefined
    default:
      return undefined
  }
}

const typed = (text: string): string | number | boolean =>
  text === 'true' || text === 'false'
    ? text === 'true'
    : /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.trunc(Number(text)))
      ? Number(text)
      : text

/** Values that are measured get bounds instead of equality. */
function bounds(cell: OpenCell): { words: string; node: FilterNode }[] {
  const { path } = cell.column
  const measured = measure(cell)
  if (measured === undefined) return []
  const { value, words } = measured
  return [
    { words: `≥ ${words}`, node: condition(path, '>=', [value]) },
    { words: `≤ ${words}`, node: condition(path, '<=', [value]) },
  ]
}

function measure({ row, column, facts: { usage } }: OpenCell): { value: number; words: string } | undefined {
  const { latencyMs } = row
  switch (column.kind) {
    case 'latency':
      return latencyMs === null ? undefined : { value: latencyMs, words: `${latencyMs} ms` }
    case 'tokens': {
      if (!usage) return undefined
      const tokens = usage.tokensIn + usage.tokensOut
      return { value: tokens, words: tableText.tokens(formatExact(tokens)) }
    }
    case 'cost':
      return usage?.cost === undefined ? undefined : { value: usage.cost, words: `$${formatExact(usage.cost)}` }
    default:
      return undefined
  }
}

function textOf(cell: OpenCell): string {
  const { row, column, facts } = cell
  const texts: Partial<Record<KnownColumn['kind'], string>> = {
    input: row.input,
    output: row.error ?? row.errorInside ?? row.output,
    time: row.startedAt,
    model: facts.usage?.models.join(', ') ?? '',
  }
  const value = measure(cell)?.value ?? filterValueOf(cell)?.value
  return texts[column.kind] ?? facts.values?.[column.id] ?? (value === undefined ? row.id : String(value))
}

const copy = (text: string): void => {
  navigator.clipboard.writeText(text).catch(showError)
}
