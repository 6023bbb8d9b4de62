import { post } from '../../../api/client.ts'
import { useQuery } from '../../../state/query-signal.ts'
import type { ObjectVersion } from '../../../versions/objects.ts'

/** A stored scorer with its versions, the newest first. */
export interface KnownScorer {
  readonly name: string
  readonly versions: readonly { readonly digest: string; readonly index: number }[]
}

const versionsMax = 2_000

/** Scorers of a project, by name; undefined until they are read. */
export const useScorers = (projectId: string): readonly KnownScorer[] | undefined =>
  useQuery({
    queryKey: ['objects', projectId, 'scorers with versions'],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly KnownScorer[]> => {
      const { objs } = await post<{ objs: ObjectVersion[] }>(
        '/objs/query',
        {
          project_id: projectId,
          filter: { base_object_classes: ['Scorer'] },
          metadata_only: true,
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: versionsMax,
        },
        { signal },
      )
      return [...Map.groupBy(objs, ({ object_id }) => object_id)]
        .map(([name, versions]) => ({
          name,
          versions: versions.map(({ digest, version_index }) => ({ digest, index: version_index })),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }).data
