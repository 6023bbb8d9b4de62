import {
  type DefaultError,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../api/problem.ts'

const retriesMax = 3

/** Cache of everything read from the server. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // The server is often on this machine and answers while the browser believes to be offline.
      networkMode: 'always',
      retry: (failures, error) => failures < retriesMax && error instanceof Problem && error.isTemporary,
    },
  },
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
export function useInfiniteQuery<Data, Shown, Key extends QueryKey, PageParam>(
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
