import { effect, signal } from '@preact/signals'
import {
  type DefaultError,
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  onlineManager,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { outage, returns } from '../api/outage.ts'

const retriesMax = 3

/** Cache of everything read from the server. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < retriesMax && error instanceof Problem && error.isTemporary,
    },
  },
})

// Requests wait while the server does not answer. What the browser believes is of no use here: the
// server is often on the same machine.
onlineManager.setEventListener((setOnline) => effect(() => setOnline(outage.value === undefined)))
queries.mount()
effect(() => {
  if (returns.value > 0) void queries.invalidateQueries()
})

/** Earlier answers that are still shown because the server failed to read them again. */
export interface Stale {
  /** When the oldest of them was read, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Why, as the server says it. */
  readonly reason: string
}

/** Set while some of what the page shows could not be read again. */
export const stale = signal<Stale | undefined>(undefined)

const staleFilter: QueryFilters = {
  type: 'active',
  predicate: ({ state: { data, error } }) => data !== undefined && isFault(error),
}

queries.getQueryCache().subscribe(({ type }) => {
  if (type === 'observerOptionsUpdated' || type === 'observerResultsUpdated') return
  const states = queries
    .getQueryCache()
    .findAll(staleFilter)
    .map(({ state }) => state)
  const [oldest] = states.toSorted((a, b) => a.dataUpdatedAt - b.dataUpdatedAt)
  if (oldest?.dataUpdatedAt === stale.peek()?.sinceMs) return
  stale.value = oldest && { sinceMs: oldest.dataUpdatedAt, reason: oldest.error?.message ?? '' }
})

/** Reads again what is stale. */
export const readStale = (): Promise<void> => queries.refetchQueries(staleFilter)

/** Whether it is the server that failed: of what it refuses, nothing earlier is shown. */
const isFault = (error: Error | null): boolean =>
  error !== null && !(error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429)

/**
 * Reads from the server and follows the answer. If the server fails to read it again, the earlier
 * answer stays, and `stale` says so. Pass `signal` of the query function on to the request, so that
 * the server stops when the answer is no longer wanted.
 */
export function useQuery<Data, Shown = Data, Key extends QueryKey = QueryKey>(
  options: QueryObserverOptions<Data, DefaultError, Shown, Data, Key>,
): QueryObserverResult<Shown> {
  const observer = useMemo(() => new QueryObserver(queries, options), [])
  follow(observer)
  useEffect(() => observer.setOptions(options))
  const result = observer.getOptimisticResult(queries.defaultQueryOptions(options))
  return result.status === 'error' && !result.isLoadingError && isFault(result.error) ? { ...result, ...kept } : result
}

/** The same page by page. */
export function useInfiniteQuery<Data, Key extends QueryKey, PageParam, Shown = InfiniteData<Data, PageParam>>(
  options: InfiniteQueryObserverOptions<Data, DefaultError, Shown, Key, PageParam>,
): InfiniteQueryObserverResult<Shown> {
  const observer = useMemo(() => new InfiniteQueryObserver(queries, options), [])
  follow(observer)
  useEffect(() => observer.setOptions(options))
  const defaulted = queries.defaultQueryOptions(options) as typeof options
  const result = observer.getOptimisticResult(defaulted as never) as InfiniteQueryObserverResult<Shown>
  return result.status === 'error' && !result.isLoadingError && isFault(result.error) ? { ...result, ...kept } : result
}

/** What makes of a failure to read again an answer that is still good to show. */
const kept = {
  status: 'success',
  isSuccess: true,
  error: null,
  isError: false,
  isRefetchError: false,
  isFetchNextPageError: false,
  isFetchPreviousPageError: false,
} as const

/** Renders the component again whenever the observer has news. */
function follow(observer: { subscribe: (listener: () => void) => () => void }): void {
  const [, render] = useState(0)
  useEffect(() => observer.subscribe(() => render((count) => count + 1)), [observer])
}
