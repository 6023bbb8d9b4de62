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
const countsQuery = ({ projectId, dataset, filtered }: RowsOptions, names: readonly string[]) => ({
  queryKey: ['rows of splits', projectId, dataset, names, filtered],
  enabled: dataset !== undefined,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Counts> => {
    const rows: RowChoice[] = names.map((name) =>
      name === filteredRows ? { row_digests: [...(filtered ?? [])] } : { split: name },
    )
    const body = { project_id: projectId, dataset_ref: dataset, rows }
    const { total, counts } = await post<{ total: number; counts: number[] }>('/evaluations/count_rows', body, {
      signal,
    })
    return { total, bySplit: new Map(names.map((name, at) => [name, counts[at] ?? 0])) }
  },
})

/** The choice of the rows that a filter has left; no split has this name. */
export const filteredRows = 'filtered'

interface RowsOptions {
  readonly projectId: string
  /** Ref of the version. */
  readonly dataset: string | undefined
  /** The split that is chosen at first. */
  readonly split: string | undefined
  /** Digests of the rows that a filter has left: they are chosen at first. */
  readonly filtered: readonly string[] | undefined
}

/** Which rows run: all, those of a filter or of a split, and the first of them. */
export function useRows(options: RowsOptions) {
  const { split: initial, filtered } = options
  const [chosen, setSplit] = useState<string>()
  const wanted = chosen ?? (filtered === undefined ? (initial ?? '') : filteredRows)
  const split = wanted === filteredRows && filtered === undefined ? '' : wanted
  const [limitText, setLimitText] = useState('')
  const first = filtered === undefined ? initial : filteredRows
  const names = [...new Set([...(first === undefined ? [] : [first]), ...splits])]
  const { data, error, refetch } = useQuery(countsQuery(options, names))
  const isLimitBad = limitText.trim() !== '' && !/^[1-9]\d*$/.test(limitText.trim())
  const limit = limitText.trim() === '' || isLimitBad ? undefined : Number(limitText)
  const whole = split === '' ? data?.total : data?.bySplit.get(split)
  const choice: RowChoice | undefined =
    split === '' && limit === undefined
      ? undefined
      : {
          ...(split === filteredRows ? { row_digests: [...(filtered ?? [])] } : split !== '' && { split }),
          ...(limit && { limit }),
        }
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
