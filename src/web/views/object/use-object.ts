import { post, postRaw } from '../../api/client.ts'
import { memberText } from '../../json/member-text.ts'
import { useQuery } from '../../state/query-signal.ts'

/** A version of an object, without its content. */
export interface ObjectVersion {
  readonly object_id: string
  readonly digest: string
  readonly version_index: number
  readonly is_latest: number
  readonly kind: string
  readonly base_object_class: string | null
  readonly leaf_object_class: string | null
  readonly created_at: string
  readonly size_bytes: number | null
  readonly ext_user_id: string | null
  readonly tags: readonly string[] | null
  readonly aliases: readonly string[] | null
}

const versionsMax = 200
/** Rows of a dataset that are shown. */
export const rowsMax = 100

/** Versions of an object, the newest first. */
export const useVersions = (projectId: string, name: string) =>
  useQuery<readonly ObjectVersion[]>({
    queryKey: ['versions', projectId, name],
    queryFn: async ({ signal }) => {
      const body = {
        project_id: projectId,
        filter: { object_ids: [name] },
        metadata_only: true,
        include_tags_and_aliases: true,
        sort_by: [{ field: 'created_at', direction: 'desc' }],
        limit: versionsMax,
      }
      return (await post<{ objs: ObjectVersion[] }>('/objs/query', body, { signal })).objs
    },
  })

/** The version that an address names. @param wanted digest, `latest`, `v<number>`, tag or alias */
export const versionNamed = (versions: readonly ObjectVersion[], wanted: string): ObjectVersion | undefined =>
  versions.find(
    ({ digest, version_index: index, is_latest: isLatest, tags, aliases }) =>
      digest === wanted ||
      `v${index}` === wanted ||
      (wanted === 'latest' && isLatest === 1) ||
      tags?.includes(wanted) ||
      aliases?.includes(wanted),
  )

/** Digest of the row table that the content of a dataset names; undefined without one. */
export function rowsDigestIn(content: string | undefined): string | undefined {
  const rows = content === undefined ? undefined : memberText(content, ['rows'])
  return /^"[a-z]+:\/\/\/[^"]*\/table\/([0-9a-f]+)"$/.exec(rows ?? '')?.[1]
}

/** The first rows of a row table, as the JSON text of a list. */
export const useRows = (projectId: string, digest: string | undefined) =>
  useQuery<string>({
    queryKey: ['rows', projectId, digest],
    enabled: digest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, digest, limit: rowsMax }
      const lines = (await (await postRaw('/table/query_stream', body, { signal })).text()).split('\n')
      return `[${lines.flatMap((line) => memberText(line, ['val']) ?? []).join(',')}]`
    },
  })

/** How many rows a row table has. */
export const useRowCount = (projectId: string, digest: string | undefined) =>
  useQuery<number>({
    queryKey: ['row count', projectId, digest],
    enabled: digest !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await post<{ count: number }>('/table/query_stats', { project_id: projectId, digest }, { signal })).count,
  })

/** JSON text of the content of a version, to the letter: it may be large and its numbers exact. */
export const useContent = (projectId: string, version: ObjectVersion | undefined) =>
  useQuery<string>({
    queryKey: ['object', projectId, version?.object_id, version?.digest],
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const body = { project_id: projectId, object_id: version?.object_id, digest: version?.digest }
      const response = await postRaw('/obj/read', body, { signal })
      return memberText(await response.text(), ['obj', 'val']) ?? 'null'
    },
  })
