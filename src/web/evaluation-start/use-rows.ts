import { useState } from 'preact/hooks'
import type { RowChoice } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { useQuery } from '../state/query-signal.ts'

/** Splits that the dialog offers; one that it begins with comes on top. */
const splits = ['train', 'test', 'train:90', 'test:10', 'train:50', 'test:50'] as const

interface Counts {
  readonly total: number
  /** Rows by split. */
  readonly bySplit: ReadonlyMap<string, number>
}

/** Reads how many rows a version of a dataset has, in all and by split. */
const countsQuery = (projectId: string, dataset: string | undefined, names: readonly string[]) => ({
  queryKey: ['rows of splits', projectId, dataset, names],
  enabled: dataset !== undefined,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Counts> => {
    const rows = names.map((split) => ({ split }))
    const body = { project_id: projectId, dataset_ref: dataset, rows }
    const { total, counts } = await post<{ total: number; counts: number[] }>('/evaluations/count_rows', body, {
      signal,
    })
    return { total, bySplit: new Map(names.map((name, at) => [name, counts[at] ?? 0])) }
  },
})

/** Which rows run: all or a split, and the first of them. @param dataset ref of the version */
export function useRows(projectId: string, dataset: string | undefined, initial: string | undefined) {
  const [split, setSplit] = useState(initial ?? '')
  const [limitText, setLimitText] = useState('')
  const names = [...new Set([...(initial === undefined ? [] : [initial]), ...splits])]
  const { data, error, refetch } = useQuery(countsQuery(projectId, dataset, names))
  const isLimitBad = limitText.trim() !== '' && !/^[1-9]\d*$/.test(limitText.trim())
  const limit = limitText.trim() === '' || isLimitBad ? undefined : Number(limitText)
  const whole = split === '' ? data?.total : data?.bySplit.get(split)
  const choice: RowChoice | undefined =
    split === '' && limit === undefined ? undefined : { ...(split !== '' && { split }), ...(limit && { limit }) }
  return {
    split,
    setSplit,
    limitText,
    setLimitText,
    isLimitBad,
    names,
    counts: data,
    choice,
    /** How many rows run; undefined until it is known. */
    count: whole === undefined ? undefined : Math.min(whole, limit ?? whole),
    error,
    retry: () => void refetch(),
  }
}
