import { post, postRaw, sendJson } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { memberText } from '../json/scan.ts'
import { queries } from '../state/query-signal.ts'
import { session } from '../state/session.ts'
import { summarised } from '../table/row-feedback.ts'
import { versionText } from '../text/version.ts'

/** A version of an object or op, without its content. */
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

/** All versions of one name, newest first. */
export interface ObjectFamily {
  readonly name: string
  readonly latest: ObjectVersion
  readonly versions: readonly ObjectVersion[]
}

const versionsMax = 200
/** Versions of all objects of a project that a list reads. */
export const familyVersionsMax = 5_000

const metadata = {
  metadata_only: true,
  include_tags_and_aliases: true,
  sort_by: [{ field: 'created_at', direction: 'desc' }],
}

/** Reads the versions of an object, the newest first. */
export const versionsQuery = (projectId: string, name: string) => ({
  queryKey: ['objects', projectId, 'versions', name],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly ObjectVersion[]> => {
    const body = { project_id: projectId, filter: { object_ids: [name] }, ...metadata, limit: versionsMax }
    return (await post<{ objs: ObjectVersion[] }>('/objs/query', body, { signal })).objs
  },
})

/** Reads the objects of a project by name; only prompts with `prompts`. */
export const familiesQuery = (projectId: string, only: 'all' | 'prompts') => ({
  queryKey: ['objects', projectId, 'families', only],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly ObjectFamily[]> => {
    const filter = only === 'all' ? {} : { is_op: false }
    const body = { project_id: projectId, filter, ...metadata, limit: familyVersionsMax }
    const { objs } = await post<{ objs: ObjectVersion[] }>('/objs/query', body, { signal })
    return familiesOf(only === 'all' ? objs : objs.filter(isPrompt))
  },
})

/**
 * Versions in families: an op and an object may share a name. The last changed family comes
 * first.
 */
function familiesOf(versions: readonly ObjectVersion[]): readonly ObjectFamily[] {
  return [...Map.groupBy(versions, ({ kind, object_id }) => `${kind} ${object_id}`).values()].flatMap((all) => {
    const latest = all.find(({ is_latest }) => is_latest === 1) ?? all[0]
    return latest === undefined ? [] : [{ name: latest.object_id, latest, versions: all }]
  })
}

/** Whether a version is a prompt, of an SDK or of this UI. */
export const isPrompt = ({ base_object_class: base, leaf_object_class: leaf }: ObjectVersion): boolean =>
  base === 'Prompt' || leaf === 'MessagesPrompt' || leaf === 'StringPrompt'

/** Whether a version is a dataset. */
export const isDataset = ({ base_object_class: base }: ObjectVersion): boolean => base === 'Dataset'

/** Whether a version is a scorer. */
export const isScorer = ({ kind, base_object_class: base }: ObjectVersion): boolean =>
  kind !== 'op' && base === 'Scorer'

/** Whether a version is a leaderboard. */
export const isLeaderboard = ({ base_object_class: base }: ObjectVersion): boolean => base === 'Leaderboard'

/** Class of a version as lists show it. */
export const classOf = ({ kind, base_object_class: base, leaf_object_class: leaf }: ObjectVersion): string =>
  kind === 'op' ? 'Op' : (leaf ?? base ?? '')

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

/** The version that an alias points to. */
export const versionWithAlias = (versions: readonly ObjectVersion[], alias: string): ObjectVersion | undefined =>
  versions.find(({ aliases }) => aliases?.includes(alias))

/**
 * Reads the objects of a project again after a change. Lists that no page shows are forgotten: the
 * next page would take an older version for the latest one until they have been read.
 */
export async function readObjectsAgain(projectId: string): Promise<void> {
  const queryKey = ['objects', projectId]
  queries.removeQueries({ queryKey, type: 'inactive' })
  await queries.invalidateQueries({ queryKey })
}

/** Reads the content of a version as JSON text, to the letter: its numbers may be exact. */
export const contentQuery = (projectId: string, version: ObjectVersion | undefined) => ({
  queryKey: ['object', projectId, version?.object_id, version?.digest],
  enabled: version !== undefined,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<string> => {
    const body = { project_id: projectId, object_id: version?.object_id, digest: version?.digest }
    const response = await postRaw('/obj/read', body, { signal })
    return memberText(await response.text(), ['obj', 'val']) ?? 'null'
  },
})

/** Reads what the newest versions of a prompt say that they change. @returns by digest */
export const notesQuery = (projectId: string, name: string, latest: string | undefined) => ({
  queryKey: ['object notes', projectId, name, latest],
  enabled: latest !== undefined,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, string>> => {
    const { metadata_only: _, ...rest } = metadata
    const body = { project_id: projectId, filter: { object_ids: [name] }, ...rest, limit: usedVersionsMax }
    const { objs } = await post<{ objs: { digest: string; val: unknown }[] }>('/objs/query', body, { signal })
    return new Map(
      objs.flatMap(({ digest, val }) =>
        typeof val === 'object' && val !== null && 'description' in val && typeof val.description === 'string'
          ? [[digest, val.description] as const]
          : [],
      ),
    )
  },
})

/** Ref of a version, as stored in calls that use it. */
export const refOf = (
  projectId: string,
  { object_id, digest, kind }: Pick<ObjectVersion, 'object_id' | 'digest' | 'kind'>,
): string => `ext:///${projectId}/${kind === 'op' ? 'op' : 'object'}/${object_id}:${digest}`

/** Statistics of the calls that used a version. */
export interface VersionUse {
  readonly calls: number
  /** Mean of each score, 0 to 1 for verdicts, and how many calls have it. */
  readonly scores: readonly { readonly name: string; readonly mean: number; readonly count: number }[]
}

/** Calls whose scores are averaged. */
export const scoredCallsMax = 200
const callsMax = 10_000
/** Versions whose use is read. */
export const usedVersionsMax = 12

interface ScoredLine {
  readonly summary?: {
    readonly ext?: { readonly feedback?: readonly { readonly feedback_type: string; readonly payload: unknown }[] }
  }
}

/** Reads how often the newest versions were used, and how well. @returns by digest */
export const usesQuery = (projectId: string, versions: readonly ObjectVersion[]) => ({
  queryKey: ['object uses', projectId, versions.slice(0, usedVersionsMax).map(({ digest }) => digest)],
  enabled: versions.length > 0,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, VersionUse>> => {
    const read = versions.slice(0, usedVersionsMax).map(async (version) => {
      const scope = { project_id: projectId, filter: { input_refs: [refOf(projectId, version)] } }
      const [{ count }, lines] = await Promise.all([
        post<{ count: number }>('/calls/query_stats', { ...scope, limit: callsMax }, { signal }),
        postRows<ScoredLine>(
          '/calls/stream_query',
          {
            ...scope,
            columns: ['id', 'summary.ext.feedback'],
            include_feedback: true,
            sort_by: [{ field: 'started_at', direction: 'desc' }],
            limit: scoredCallsMax,
          },
          { signal },
        ),
      ])
      return [version.digest, { calls: count, scores: meansOf(lines) }] as const
    })
    return new Map(await Promise.all(read))
  },
})

function meansOf(lines: readonly ScoredLine[]): VersionUse['scores'] {
  const scores = lines.flatMap(({ summary }) =>
    summarised(
      (summary?.ext?.feedback ?? []).map(({ feedback_type: type, payload }) => ({ type, payload })),
    ).scores.flatMap(({ name, value }) => (typeof value === 'string' ? [] : [{ name, value: Number(value) }])),
  )
  return [...Map.groupBy(scores, ({ name }) => name)]
    .map(([name, all]) => ({
      name,
      mean: all.reduce((sum, { value }) => sum + value, 0) / all.length,
      count: all.length,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Points an alias to a version.
 * @param from digest that it must point to now
 * @param reason for the audit log
 * @throws {Problem}
 */
export const moveAlias = (
  projectId: string,
  name: string,
  alias: string,
  { from, to, reason }: { readonly from: string | undefined; readonly to: string; readonly reason?: string },
): Promise<unknown> =>
  sendJson('PUT', `/objs/${encodeURIComponent(name)}/aliases`, {
    project_id: projectId,
    aliases: [alias],
    from_digest: from ?? '',
    digest: to,
    ...(reason && { reason }),
  })

/** Takes an alias off an object. @throws {Problem} */
export const removeAlias = (projectId: string, name: string, alias: string): Promise<unknown> =>
  post(`/objs/${encodeURIComponent(name)}/aliases/remove`, { project_id: projectId, aliases: [alias] })

/** Adds tags to a version, or removes them. @throws {Problem} */
export const changeTags = (
  projectId: string,
  { object_id: name, digest }: ObjectVersion,
  change: 'add' | 'remove',
  tags: readonly string[],
): Promise<unknown> => {
  const path = `/objs/${encodeURIComponent(name)}/versions/${encodeURIComponent(digest)}/tags`
  const body = { project_id: projectId, tags }
  return change === 'add' ? sendJson('PUT', path, body) : post(`${path}/remove`, body)
}

/** Stores a version that starts from another one. @throws {Problem} 409 if it is not the latest */
export const saveVersion = (
  projectId: string,
  name: string,
  val: unknown,
  startedFrom: string | undefined,
): Promise<{ digest: string }> =>
  post('/obj/create', {
    obj: { project_id: projectId, object_id: name, val, expected_latest_digest: startedFrom ?? '' },
  })

/**
 * Deletes an object. @returns what brings it back, with all of its versions
 * @throws {Problem}
 */
export async function deleteObject(projectId: string, name: string): Promise<() => Promise<void>> {
  const body = { project_id: projectId, filter: { object_ids: [name] } }
  const sorted = { ...body, sort_by: [{ field: 'created_at', direction: 'asc' }] }
  const { objs } = await post<{ objs: { val: unknown }[] }>('/objs/query', sorted)
  await post('/obj/delete', { project_id: projectId, object_id: name })
  return async () => {
    for (const { val } of objs) await post('/obj/create', { obj: { project_id: projectId, object_id: name, val } })
  }
}

/** Author of a version: `you`, or the name of a key or account. */
export const authorOf = ({ ext_user_id: id }: ObjectVersion): string =>
  id === null || id === '' ? versionText.unknown : id === session.value?.user_id ? versionText.you : id
