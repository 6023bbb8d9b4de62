import { post } from '../../api/client.ts'
import type { Span } from '../../filter/time-range.ts'
import { useQuery } from '../../state/query-signal.ts'

interface PayloadPath {
  readonly json_path: string
  readonly value_type: 'numeric' | 'boolean' | 'categorical'
}

/** Paths of numbers and verdicts in the feedback of a range. */
export function useScores(projectId: string, span: Span, enabled: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: ['score paths', projectId, span.from, span.to],
    enabled,
    retry: false,
    queryFn: async ({ signal }) => {
      const range = {
        project_id: projectId,
        start: new Date(span.from).toISOString(),
        end: new Date(span.to).toISOString(),
        granularity: 86_400,
      }
      return (await post<{ paths: PayloadPath[] }>('/feedback/payload_schema', range, { signal })).paths
    },
  })
  return (data ?? []).filter(({ value_type }) => value_type !== 'categorical').map(({ json_path }) => json_path)
}
