import { useMemo } from 'preact/hooks'
import type { Span } from '../../chart/span.ts'
import { runStatement } from '../../sql/run-statement.ts'
import { hasTimes, timesOf } from '../../sql/time-parameters.ts'
import { useQuery } from '../../state/query-signal.ts'
import { isOperator } from '../../state/session.ts'
import type { CallsSource, Card, SqlSource } from './board.ts'
import { type CardData, cardData } from './card-data.ts'
import { readStats } from './card-request.ts'

const freshMs = 60_000

/** How far the content of a card is. */
export interface CardState<Content> {
  readonly content: Content | undefined
  readonly error: Error | null
  readonly refetch: () => void
}

/**
 * The calls of a card.
 *
 * @param retryOnMount false for who only looks at what the card has read: a card that could not be
 * read would read again, and its message would be gone for a moment, and the focus in it for good
 */
export function useCallsCard(
  projectId: string,
  source: CallsSource | undefined,
  span: Span,
  { retryOnMount = true }: { retryOnMount?: boolean } = {},
): CardState<CardData> {
  const { data, error, refetch } = useQuery({
    queryKey: ['card', projectId, span.from, span.to, JSON.stringify(source)],
    enabled: source !== undefined,
    staleTime: freshMs,
    retryOnMount,
    queryFn: ({ signal }) => readStats(projectId, source as CallsSource, span, signal),
  })
  const content = useMemo(
    () => (source && data ? cardData(source, data, span) : undefined),
    [data, JSON.stringify(source), span.from, span.to],
  )
  return { content, error, refetch: () => void refetch() }
}

/** The rows of a card; only admins of all projects may read them. */
export function useSqlCard(source: SqlSource | undefined, span: Span) {
  const times = source && hasTimes(source.statement) ? timesOf(span) : undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['sql card', source?.statement, times?.from, times?.to],
    enabled: source !== undefined && isOperator.value,
    staleTime: freshMs,
    retry: false,
    queryFn: ({ signal }) => runStatement(source?.statement ?? '', signal, times),
  })
  return { content: data, error, refetch: () => void refetch() }
}

export const callsOf = ({ source }: Card): CallsSource | undefined => (source.kind === 'calls' ? source : undefined)
export const sqlOf = ({ source }: Card): SqlSource | undefined => (source.kind === 'sql' ? source : undefined)
