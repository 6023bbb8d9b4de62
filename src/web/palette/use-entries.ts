import { useMemo } from 'preact/hooks'
import { projectsQuery } from '../api/projects.ts'
import { useQuery } from '../state/query-signal.ts'
import { settled } from '../state/settled.ts'
import { paletteText } from '../text/palette.ts'
import { type PaletteEntry, ranked } from './entry.ts'
import { type FoundThings, findThings, placesOf } from './find-call.ts'
import { idInText, objectInText } from './id-in-text.ts'
import { actionEntries, projectEntries, viewEntries } from './place-entries.ts'
import { entriesOf, objectEntry, searchEntry, useObjects, useOperations } from './stored-entries.ts'

const perGroupMax = 7
const settleMs = 150

/** Entries of the palette for the typed text, in groups, and the searches still running. */
export function useEntries(typed: string, projectId: string | undefined, onlyProjects: boolean): FoundEntries {
  const projects = useQuery(projectsQuery).data?.projects
  const ref = onlyProjects ? undefined : objectInText(typed)
  const named = onlyProjects || ref ? undefined : idInText(typed)
  const projectIds = useMemo(
    () => [...new Set([projectId, ...(projects ?? []).map(({ project_id }) => project_id)])].filter(isText),
    [projects, projectId],
  )
  const places = named === undefined ? [] : placesOf(named, projectIds)
  const found = useQuery({
    queryKey: ['palette id', named?.id, places.join(' ')],
    queryFn: async ({ signal }): Promise<FoundThings | null> => {
      if (named === undefined) return null
      await settled(settleMs, signal)
      return findThings(named.id, places, signal)
    },
    enabled: named !== undefined && projects !== undefined,
  })
  const isWord = !onlyProjects && !named?.isCertain
  const operations = useOperations(isWord ? projectId : undefined)
  const objects = useObjects(isWord ? projectId : undefined)
  const byId = [...(ref ? [objectEntry(ref)] : []), ...entriesOf(found.data)]
  const sought = named && {
    id: named.id,
    where: paletteText.projectsSearched(places, places.length < projectIds.length),
    isSeeking: projects === undefined || found.isFetching,
    error: found.error ?? undefined,
  }
  if (ref) return { entries: byId, sought: undefined, searched: undefined }
  if (named?.isCertain) return { entries: byId, sought, searched: undefined }

  const all = projectEntries(projects ?? [])
  const rest = onlyProjects
    ? []
    : [
        ...viewEntries(projectId),
        ...(typed === '' ? [] : [...operations.entries, ...objects.entries]),
        ...actionEntries(),
      ]
  const hits = ranked(typed, onlyProjects ? all : [...rest, ...(typed === '' ? all.slice(0, perGroupMax) : all)])
  // What may be an id is looked for as one. Enter opens nothing before all names are known.
  const isNameless = !onlyProjects && typed !== '' && named === undefined
  const searchIn = isNameless && operations.isRead && objects.isRead ? projectId : undefined
  return {
    entries: [
      ...byId,
      ...grouped(hits, onlyProjects ? Number.POSITIVE_INFINITY : perGroupMax),
      ...(searchIn === undefined ? [] : [searchEntry(searchIn, typed)]),
    ],
    sought: byId.length === 0 && hits.length === 0 ? sought : undefined,
    searched: onlyProjects || typed === '' ? undefined : paletteText.searched(projectId, sought?.where),
  }
}

interface FoundEntries {
  readonly entries: readonly PaletteEntry[]
  /** The pasted text, if it may be an id and no other entry matches it. */
  readonly sought: SoughtId | undefined
  /** Says where the words that were typed were looked for. */
  readonly searched: string | undefined
}

interface SoughtId {
  readonly id: string
  /** Says which projects are searched. */
  readonly where: string
  readonly isSeeking: boolean
  readonly error: Error | undefined
}

const isText = (text: string | undefined): text is string => text !== undefined

function grouped(hits: readonly PaletteEntry[], max: number): PaletteEntry[] {
  const groups = new Map<string, PaletteEntry[]>()
  for (const hit of hits) {
    const group = groups.get(hit.group) ?? []
    if (group.length < max) group.push(hit)
    groups.set(hit.group, group)
  }
  return [...groups.values()].flat()
}
