import { Box, Search, SquareFunction } from 'lucide'
import { useMemo } from 'preact/hooks'
import { post } from '../api/client.ts'
import { projectsQuery } from '../api/projects.ts'
import { opName, shortId } from '../format/ids.ts'
import { formatCount } from '../format/number.ts'
import { formatWhen } from '../format/time.ts'
import { navigate } from '../state/location.ts'
import { objectPath, threadPath, tracePath, viewPath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { paletteText } from '../text/palette.ts'
import { actionEntries, projectEntries, viewEntries } from './entries.ts'
import type { PaletteEntry } from './entry.ts'
import { type FoundCall, type FoundThings, findThings } from './find-call.ts'
import { idInText, type NamedObject, objectInText } from './id-in-text.ts'
import { ranked } from './rank.ts'

const perGroupMax = 7

/** What the palette offers for what was typed, in groups, and what it is still looking for. */
export function useEntries(typed: string, projectId: string | undefined, onlyProjects: boolean): FoundEntries {
  const projects = useQuery(projectsQuery).data?.projects
  const ref = onlyProjects ? undefined : objectInText(typed)
  const named = onlyProjects || ref ? undefined : idInText(typed)
  const projectIds = useMemo(
    () => [...new Set([projectId, ...(projects ?? []).map(({ project_id }) => project_id)])].filter(isText),
    [projects, projectId],
  )
  const found = useQuery({
    queryKey: ['palette id', named?.id, named?.projectId, projectIds.join(' ')],
    queryFn: async ({ signal }): Promise<FoundThings | null> =>
      (named && (await findThings(named, projectIds, signal))) ?? null,
    enabled: named !== undefined && projects !== undefined,
  })
  const isWord = !onlyProjects && !named?.isCertain
  const operations = useOperations(isWord ? projectId : undefined)
  const objects = useObjects(isWord ? projectId : undefined)
  const byId = [...(ref ? [objectEntry(ref)] : []), ...entriesOf(found.data)]
  if (ref) return { entries: byId, soughtId: undefined, isSeeking: false }
  if (named?.isCertain) return { entries: byId, soughtId: named.id, isSeeking: found.isFetching }

  const all = projectEntries(projects ?? [])
  const rest = onlyProjects
    ? []
    : [...viewEntries(projectId), ...(typed === '' ? [] : [...operations, ...objects]), ...actionEntries()]
  const hits = ranked(typed, onlyProjects ? all : [...rest, ...(typed === '' ? all.slice(0, perGroupMax) : all)])
  return {
    entries: [...byId, ...grouped(hits, onlyProjects ? Number.POSITIVE_INFINITY : perGroupMax)],
    soughtId: byId.length === 0 && hits.length === 0 ? named?.id : undefined,
    isSeeking: named !== undefined && found.isFetching,
  }
}

interface FoundEntries {
  readonly entries: readonly PaletteEntry[]
  /** The id that was pasted. */
  readonly soughtId: string | undefined
  readonly isSeeking: boolean
}

const isText = (text: string | undefined): text is string => text !== undefined

const entriesOf = (found: FoundThings | null | undefined): PaletteEntry[] => [
  ...(found?.call ? [callEntry(found.call)] : []),
  ...(found?.object ? [objectEntry(found.object)] : []),
]

function callEntry({ projectId, traceId, callId, threadId, opName: op, startedAt }: FoundCall): PaletteEntry {
  const common = { group: paletteText.byId, detail: `${projectId} · ${formatWhen(startedAt)}`, icon: Search }
  if (threadId !== undefined) {
    return {
      ...common,
      id: `thread ${threadId}`,
      label: `${paletteText.thread} ${threadId}`,
      run: () => navigate(threadPath(projectId, threadId)),
    }
  }
  const kind = callId === undefined ? paletteText.trace : paletteText.call
  return {
    ...common,
    id: `call ${callId ?? traceId}`,
    label: `${kind} ${opName(op)}, ${shortId(callId ?? traceId)}`,
    run: () => navigate(tracePath(projectId, traceId, callId === traceId ? undefined : callId)),
  }
}

const objectEntry = ({ projectId, name, digest }: NamedObject): PaletteEntry => ({
  id: `object ${name} ${digest}`,
  group: paletteText.byId,
  label: `${paletteText.object} ${name}, ${shortId(digest)}`,
  detail: projectId,
  icon: Box,
  run: () => navigate(objectPath(projectId, name, digest)),
})

/** Ops by how often they were called; the server may have looked at a sample only. */
function useOperations(projectId: string | undefined): PaletteEntry[] {
  const { data } = useQuery({
    queryKey: ['palette ops', projectId],
    queryFn: ({ signal }) =>
      post<{ values: { value: unknown; count: number }[] }>(
        '/calls/values',
        { project_id: projectId, path: 'op_name', limit: 200 },
        { signal },
      ),
    enabled: projectId !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  return (data?.values ?? []).map(({ value, count }) => ({
    id: `op ${value}`,
    group: paletteText.operations,
    label: opName(String(value)),
    detail: `${formatCount(count)} calls`,
    icon: SquareFunction,
    run: () => openCalls(projectId, `op=${JSON.stringify(opName(String(value)))}`),
  }))
}

/** Objects lead to the calls whose inputs or output name them. */
function useObjects(projectId: string | undefined): PaletteEntry[] {
  const { data } = useQuery({
    queryKey: ['palette objects', projectId],
    queryFn: ({ signal }) =>
      post<{ objs: { object_id: string; base_object_class: string | null }[] }>(
        '/objs/query',
        { project_id: projectId, filter: { latest_only: true, is_op: false }, metadata_only: true, limit: 500 },
        { signal },
      ),
    enabled: projectId !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  return (data?.objs ?? []).map(({ object_id, base_object_class }) => ({
    id: `object ${object_id}`,
    group: paletteText.objects,
    label: object_id,
    detail: base_object_class ?? undefined,
    icon: Box,
    run: () => openCalls(projectId, JSON.stringify(`/object/${object_id}:`)),
  }))
}

const openCalls = (projectId: string | undefined, filter: string): void =>
  navigate(viewPath(projectId ?? '', 'calls', `?f=${encodeURIComponent(filter)}`))

function grouped(hits: readonly PaletteEntry[], max: number): PaletteEntry[] {
  const groups = new Map<string, PaletteEntry[]>()
  for (const hit of hits) {
    const group = groups.get(hit.group) ?? []
    if (group.length < max) group.push(hit)
    groups.set(hit.group, group)
  }
  return [...groups.values()].flat()
}
