import { memberOf } from '../../../lib/present.ts'
import { readTimeRange, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'

/** What a card can show of calls. */
export const metrics = [
  'calls',
  'errors',
  'error_rate',
  'p50',
  'p90',
  'p95',
  'p99',
  'tokens_in',
  'tokens_out',
  'cost',
  'score',
] as const
export type Metric = (typeof metrics)[number]

/** How a card shows it. */
export const shapes = ['line', 'bars', 'area', 'number', 'table'] as const
export type Shape = (typeof shapes)[number]

/** Calls by a metric. */
export interface CallsSource {
  readonly kind: 'calls'
  readonly metric: Metric
  /** Path of the score in the payload of feedback; empty for other metrics. */
  readonly scorePath: string
  /** Type of the feedback; empty for any. */
  readonly scoreType: string
  /** Name of a field in filters; empty for no groups. */
  readonly group: string
  /** Text of the filter bar. */
  readonly filter: string
  readonly rows: 'calls' | 'traces'
}

/** Rows of a statement, which only admins may run. */
export interface SqlSource {
  readonly kind: 'sql'
  readonly statement: string
}

/** A card of a dashboard; width in columns of 12, height in rows. */
export interface Card {
  readonly id: string
  readonly title: string
  readonly shape: Shape
  readonly width: number
  readonly height: number
  readonly source: CallsSource | SqlSource
}

/** A dashboard as people arrange it. */
export interface Board {
  readonly label: string
  readonly range: TimeRange
  readonly cards: readonly Card[]
}

/** Limits of a dashboard. */
export const boardLimits = {
  columns: 12,
  widthMin: 2,
  heightMin: 1,
  heightMax: 8,
  cardsMax: 48,
  titleCharsMax: 120,
  filterCharsMax: 4_000,
  statementCharsMax: 20_000,
}

/** Class of dashboards among objects. */
export const boardClass = 'SavedDashboard'

/** A card of calls with the usual choices. */
export const newCard = (changes: Partial<Card> = {}, source: Partial<CallsSource> = {}): Card => ({
  id: newId(),
  title: '',
  shape: 'line',
  width: 6,
  height: 3,
  source: {
    kind: 'calls',
    metric: 'calls',
    scorePath: '',
    scoreType: '',
    group: '',
    filter: '',
    rows: 'calls',
    ...source,
  },
  ...changes,
})

/** An id that no other card of the same dashboard has. */
export const newId = (): string => crypto.randomUUID().slice(0, 8)

/** What is stored of a dashboard: an object of its class. */
export const contentOf = ({ label, range, cards }: Board) => ({
  _type: boardClass,
  _class_name: boardClass,
  _bases: ['Object', 'BaseModel'],
  label,
  range: writeTimeRange(range),
  cards: cards.map(({ id, title, shape, width, height, source }) => ({
    id,
    title,
    shape,
    width,
    height,
    ...(source.kind === 'sql'
      ? { statement: source.statement }
      : {
          metric: source.metric,
          group_by: source.group,
          filter: source.filter,
          rows: source.rows,
          ...(source.metric === 'score' && { score_path: source.scorePath, score_type: source.scoreType }),
        }),
  })),
})

/** Reads what is stored; undefined if it has no cards, as dashboards had before they could. */
export function boardOf(stored: unknown, id: string): Board | undefined {
  const cards = memberOf(stored, 'cards')
  if (!Array.isArray(cards)) return undefined
  const label = memberOf(stored, 'label')
  const range = memberOf(stored, 'range')
  return {
    label: typeof label === 'string' && label !== '' ? label : id,
    range: (typeof range === 'string' ? readTimeRange(range) : undefined) ?? { kind: 'all' },
    cards: cards.slice(0, boardLimits.cardsMax).flatMap(cardOf),
  }
}

/** Other clients store objects too: what is missing or odd becomes the usual choice. */
function cardOf(stored: unknown, index: number): Card[] {
  if (typeof stored !== 'object' || stored === null) return []
  const text = (name: string, charsMax: number): string => {
    const value = memberOf(stored, name)
    return typeof value === 'string' ? value.slice(0, charsMax) : ''
  }
  const whole = (name: string, usual: number): number => {
    const value = memberOf(stored, name)
    return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : usual
  }
  const { columns, widthMin, heightMin, heightMax, titleCharsMax, filterCharsMax, statementCharsMax } = boardLimits
  const common = {
    id: text('id', 40) || `card-${index}`,
    title: text('title', titleCharsMax),
    shape: shapes.find((shape) => shape === memberOf(stored, 'shape')) ?? 'line',
    width: clamped(whole('width', 6), widthMin, columns),
    height: clamped(whole('height', 3), heightMin, heightMax),
  }
  const statement = text('statement', statementCharsMax)
  if (statement !== '') return [{ ...common, source: { kind: 'sql', statement } }]
  return [
    {
      ...common,
      source: {
        kind: 'calls',
        metric: metrics.find((metric) => metric === memberOf(stored, 'metric')) ?? 'calls',
        scorePath: text('score_path', filterCharsMax),
        scoreType: text('score_type', filterCharsMax),
        group: text('group_by', filterCharsMax),
        filter: text('filter', filterCharsMax),
        rows: memberOf(stored, 'rows') === 'traces' ? 'traces' : 'calls',
      },
    },
  ]
}

export const clamped = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))

/** Whether two dashboards would be stored as the same content. */
export const isSameBoard = (a: Board, b: Board): boolean =>
  JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
