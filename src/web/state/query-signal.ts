import { effect } from '@preact/signals'
import {
  type DefaultError,
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  onlineManager,
  QueryClient,
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

/**
 * Reads from the server and follows the answer. Pass `signal` of the query function on to the
 * request, so that the server stops when the answer is no longer wanted.
 */
export function useQuery<Data, Shown = Data, Key extends QueryKey = QueryKey>(
  options: QueryObserverOptions<Data, DefaultError, Shown, Data, Key>,
): QueryObserverResult<Shown> {
  const observer = useMemo(() => new QueryObserver(queries, options), [])
  follow(observer)
  useEffect(() => observer.setOptions(options))
  return observer.getOptimisticResult(queries.defaultQueryOptions(options))
}

/** The same page by page. */
export function useInfiniteQuery<Data, Key extends QueryKey, PageParam, Shown = InfiniteData<Data, PageParam>>(
  options: InfiniteQueryObserverOptions<Data, DefaultError, Shown, Key, PageParam>,
): InfiniteQueryObserverResult<Shown> {
  const observer = useMemo(() => new InfiniteQueryObserver(queries, options), [])
  follow(observer)
  useEffect(() => observer.setOptions(options))
  const defaulted = queries.defaultQueryOptions(options) as typeof options
  return observer.getOptimisticResult(defaulted as never) as InfiniteQueryObserverResult<Shown>
}

/** Renders the component again whenever the observer has news. */
function follow(observer: { subscribe: (listener: () => void) => () => void }): void {
  const [, render] = useState(0)
  useEffect(() => observer.subscribe(() => render((count) => count + 1)), [observer])
}
