import { useMemo } from 'preact/hooks'
import { useQuery } from '../state/query-signal.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import { comparablePairs, runsOfPromptQuery, type VersionVerdict, verdictsQuery } from './version-verdicts.ts'

/**
 * What comparisons say of the newest versions of a prompt, by digest; undefined for a version whose
 * comparison is still being read, so that its line can have its place.
 */
export function useVerdicts(
  projectId: string,
  name: string,
  versions: readonly ObjectVersion[],
): ReadonlyMap<string, VersionVerdict | undefined> {
  const runs = useQuery(runsOfPromptQuery(projectId, name)).data
  const pairs = useMemo(() => comparablePairs(runs ?? [], versions), [runs, versions])
  const { data, isPending } = useQuery(verdictsQuery(projectId, pairs))
  return useMemo(
    () => data ?? new Map(isPending ? [...pairs].map(([digest]) => [digest, undefined]) : []),
    [data, isPending, pairs],
  )
}
