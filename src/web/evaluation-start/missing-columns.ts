import { post } from '../api/client.ts'
import { promptOf } from '../prompt/prompt.ts'
import { variablesOf } from '../prompt/variables.ts'
import { useQuery } from '../state/query-signal.ts'
import { readVersion } from './use-start.ts'

const rowsRead = 100

const columnsQuery = (projectId: string, table: string | undefined) => ({
  queryKey: ['objects', projectId, 'first columns', table],
  enabled: table !== undefined,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlySet<string>> => {
    const body = { project_id: projectId, digest: table, limit: rowsRead }
    const { rows } = await post<{ rows: { val: unknown }[] }>('/table/query', body, { signal })
    return new Set(rows.flatMap(({ val }) => (typeof val === 'object' && val !== null ? Object.keys(val) : [])))
  },
})

const variablesQuery = (projectId: string, prompts: readonly string[]) => ({
  queryKey: ['objects', projectId, 'variables', prompts],
  enabled: prompts.length > 0,
  queryFn: async (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const read = prompts.map(async (ref) => {
      const names = variablesOf(promptOf(await readVersion(projectId, ref))).map(({ name }) => name)
      return [ref, names] as const
    })
    return new Map(await Promise.all(read))
  },
})

/**
 * Variables of prompts that none of the first rows of a table has: a row without a value fails.
 *
 * @param prompts refs of prompt versions, empty for none
 * @returns names by ref; nothing until both are read
 */
export function useMissingColumns(projectId: string, prompts: readonly string[], table: string | undefined) {
  const refs = [...new Set(prompts.filter((ref) => ref !== ''))].sort()
  const columns = useQuery(columnsQuery(projectId, table))
  const variables = useQuery(variablesQuery(projectId, refs))
  const missing = new Map<string, readonly string[]>()
  if (columns.data === undefined || columns.data.size === 0) return missing
  for (const [ref, names] of variables.data ?? []) {
    const without = names.filter((name) => !columns.data?.has(name))
    if (without.length > 0) missing.set(ref, without)
  }
  return missing
}
