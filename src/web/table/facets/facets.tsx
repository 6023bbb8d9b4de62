import { ChevronDown, ChevronRight, CircleX } from 'lucide'
import { useState } from 'preact/hooks'
import { failedStatus } from '../../../lib/failed-calls.ts'
import { Button } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusOf } from '../../components/display/statuses.ts'
import { statusWords } from '../../filter/condition-words.ts'
import type { FilterNode, FilterValue } from '../../filter/expression.ts'
import { chosenBounds, chosenValues, withBounds, withoutPath, withValues } from '../../filter/facet-filter.ts'
import { kindOfPath, nameOfPath } from '../../filter/fields.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { opName } from '../../format/ids.ts'
import { formatCount } from '../../format/number.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { useQuery } from '../../state/query-signal.ts'
import { facetText } from '../../text/facets.ts'
import { partsText } from '../../text/parts.ts'
import { type CallField, useFields } from '../use-fields.ts'
import { isPartOfFailed, readFacet, readStatuses } from './facet-values.ts'
import css from './facets.module.css'
import { RangeFacet } from './range-facet.tsx'
import { SampleNote } from './sample-note.tsx'

const shownAtFirst = 6
const valuesMax = 30

/** The values of a field with their counts; a check filters by them. */
function Facet({ projectId, rootsOnly, path, label, node, timeFilter, isClosed, ...more }: FacetProps) {
  const { enabled, isEmpty, isDiscovered, onFilter } = more
  const [toggled, setOpen] = useState<boolean>()
  const [isLong, setLong] = useState(false)
  const chosen = chosenValues(node, path).map((value) => (path === 'op_name' ? wholeOpName(String(value)) : value))
  const bounds = chosenBounds(node, path)
  const isChosen = chosen.length > 0 || bounds.from !== undefined || bounds.to !== undefined
  // Selected values are always visible.
  const isOpen = toggled ?? (!isClosed || isChosen)
  const filter = withTime(withoutPath(node, path), timeFilter)
  const answer = useQuery({
    queryKey: ['facet', projectId, rootsOnly, path, formatFilter(filter)],
    enabled: enabled && isOpen,
    retry: false,
    queryFn: ({ signal }) => {
      const scope = { projectId, rootsOnly, filter }
      return path === statusPath ? readStatuses(scope, valuesMax, signal) : readFacet(scope, path, valuesMax, signal)
    },
    placeholderData: (previous: Awaited<ReturnType<typeof readFacet>> | undefined) => previous,
  })
  const data = answer.data
  const kind = kindOfPath(path)
  const isRange =
    kind === 'duration' ||
    (kind === 'amount' && data?.histogram) ||
    (data?.histogram && data.values.length > valuesMax / 2)
  const values = merged(data?.values ?? [], chosen, path)
  const most = Math.max(1, ...values.map(({ count }) => count))
  const isDull = values.length === 0 || (isDiscovered && values.length === 1 && chosen.length === 0)
  if (data && !isChosen && (isRange ? !data.histogram : isDull && !isClosed)) return null
  if (isClosed && isEmpty && !isChosen) return null

  const toggle = (value: FilterValue): void => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
    onFilter(withValues(node, path, next))
  }

  return (
    <section class={css.facet} aria-label={label}>
      <button type="button" class={css.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="cut">{label}</span>
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
      </button>
      {isOpen && answer.isError && (
        <div class={css.slow}>
          {answer.error instanceof DOMException ? facetText.slow : answer.error.message}
          <Button size="compact" onClick={() => void answer.refetch()}>
            {partsText.tryAgain}
          </Button>
        </div>
      )}
      {isOpen && !data && !answer.isError && <Waiting />}
      {isOpen && data && isRange && data.histogram && (
        <RangeFacet
          label={label}
          isDuration={kindOfPath(path) === 'duration'}
          histogram={data.histogram}
          bounds={bounds}
          onBounds={(bounds) => onFilter(withBounds(node, path, bounds))}
        />
      )}
      {isOpen && data && !isRange && (
        <ul>
          {values.slice(0, isLong ? valuesMax : shownAtFirst).map(({ value, count }) => (
            <li key={String(value)} class={path === statusPath && isPartOfFailed(value) ? css.part : css.value}>
              <Checkbox checked={chosen.includes(value)} onChange={() => toggle(value)} class={css.check}>
                <span class={css.fill} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
                <span class={css.name}>
                  {path === statusPath && iconOf(String(value))}
                  <span class="cut" dir="auto">
                    {wordsOf(path, value)}
                  </span>
                </span>
                <span class={css.count}>{formatCount(count)}</span>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      {isOpen && data && !isRange && values.length > shownAtFirst && (
        <button type="button" class={css.more} onClick={() => setLong(!isLong)}>
          {isLong ? facetText.fewer : facetText.more(values.length - shownAtFirst)}
        </button>
      )}
      {isOpen && <SampleNote of={data} />}
    </section>
  )
}

const statusPath = 'summary.ext.status'

const iconOf = (value: string) =>
  value === failedStatus ? (
    <span class={css.failed}>
      <Icon of={CircleX} size={14} />
    </span>
  ) : (
    <StatusIcon status={statusOf(value)} size={14} hidden />
  )

const Waiting = () => (
  <div aria-busy="true" class={css.waiting}>
    <span />
    <span />
    <span />
  </div>
)

const withTime = (node: FilterNode | undefined, time: FilterNode | undefined): FilterNode | undefined =>
  time === undefined ? node : node === undefined ? time : { kind: 'all', items: [...flat(time), ...flat(node)] }

const flat = (node: FilterNode): readonly FilterNode[] => (node.kind === 'all' ? node.items : [node])

const isPlain = (value: unknown): value is FilterValue =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value)

/** Values of ops by name, and chosen values that do not occur. */
function merged(
  values: readonly { value: unknown; count: number }[],
  chosen: readonly FilterValue[],
  path: string,
): { value: FilterValue; count: number }[] {
  const counts = new Map<FilterValue, number>()
  for (const { value, count } of values) {
    if (!isPlain(value)) continue
    const shown = path === 'op_name' ? wholeOpName(opName(String(value))) : value
    counts.set(shown, (counts.get(shown) ?? 0) + count)
  }
  for (const value of chosen) if (!counts.has(value)) counts.set(value, 0)
  return [...counts].map(([value, count]) => ({ value, count }))
}

function wordsOf(path: string, value: FilterValue): string {
  if (path === statusPath) return statusWords(String(value))
  if (value === '') return facetText.empty
  return String(value).trim() === '' ? `“${value}”` : String(value)
}

interface FacetProps {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly path: string
  readonly label: string
  /** Found in the data: it is left out where all calls have the same value. */
  readonly isDiscovered: boolean
  /** Not read until it is opened. */
  readonly isClosed?: boolean
  readonly node: FilterNode | undefined
  readonly timeFilter: FilterNode | undefined
  /** Rows come first. */
  readonly enabled: boolean
  /** No row matches: a facet that is closed has nothing inside. */
  readonly isEmpty: boolean
  readonly onFilter: (node: FilterNode | undefined) => void
}

const always = [
  { path: 'summary.ext.status', label: facetText.status, isDiscovered: false },
  { path: 'op_name', label: facetText.op, isDiscovered: false },
  { path: 'summary.ext.latency_ms', label: facetText.latency, isDiscovered: false },
  { path: 'usage.models', label: facetText.model, isDiscovered: true },
  // Adding usage up takes time, so these are counted when they are opened.
  { path: 'usage.total_tokens', label: facetText.tokens, isDiscovered: false, isClosed: true },
  { path: 'usage.total_cost', label: facetText.cost, isDiscovered: false, isClosed: true },
]
const discoveredMax = 4

/** Facets of the fields that every call has, and of those in this data that have few values. */
export function Facets(props: FacetsProps) {
  const found = useFields(props.projectId, props.rootsOnly, props.enabled)
  const more = discovered(found?.fields ?? []).map(({ path }) => ({ path, label: labelOf(path), isDiscovered: true }))
  return (
    <div class={css.facets}>
      {[...always, ...more].map((facet) => (
        <Facet key={facet.path} {...props} {...facet} />
      ))}
    </div>
  )
}

/**
 * Scalars that many calls have, and that repeat: names of users, tiers, models, environments,
 * scores.
 */
function discovered(fields: readonly CallField[]): readonly CallField[] {
  return fields
    .filter(({ path, share, types, examples }) => {
      const isScalar = types.length > 0 && types.every((type) => type !== 'object' && type !== 'array')
      const isShort = examples.every((example) => typeof example !== 'string' || example.length <= 40)
      return (
        /^(attributes|inputs|output)\./.test(path) &&
        share >= 0.3 &&
        isScalar &&
        isShort &&
        !/[._](id|model|span_name)$/.test(path)
      )
    })
    .sort((a, b) => rank(a) - rank(b) || b.share - a.share)
    .slice(0, discoveredMax)
}

const rank = ({ path }: CallField): number => (path.startsWith('attributes.') ? 0 : path.startsWith('output.') ? 1 : 2)

/** `attributes.user_tier` is read as “User tier”. */
function labelOf(path: string): string {
  const words = nameOfPath(path)
    .replace(/^(attributes|inputs|output)\./, '')
    .replaceAll(/[._-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface FacetsProps {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly node: FilterNode | undefined
  readonly timeFilter: FilterNode | undefined
  readonly enabled: boolean
  readonly isEmpty: boolean
  readonly onFilter: (node: FilterNode | undefined) => void
}
