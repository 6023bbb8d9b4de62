import {
  BookOpen,
  Box,
  Copy,
  FolderOpen,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  Search,
  SlidersHorizontal,
  SquareFunction,
  SquareTerminal,
  Star,
  Sun,
} from 'lucide'
import { useMemo } from 'preact/hooks'
import { post } from '../api/client.ts'
import { type ProjectSummary, projectsQuery } from '../api/projects.ts'
import { guidePath } from '../base.ts'
import { opName, shortId } from '../format/ids.ts'
import { formatCount } from '../format/number.ts'
import { wholeOpName } from '../format/op-names.ts'
import { formatAgo, formatWhen } from '../format/time.ts'
import { leaderboardPath, scorerPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import {
  datasetPath,
  homePath,
  objectPath,
  promptPath,
  settingsPath,
  sqlPath,
  threadPath,
  tracePath,
  viewPath,
} from '../state/paths.ts'
import { prefer, preferences } from '../state/preferences.ts'
import { useQuery } from '../state/query-signal.ts'
import { isOperator, session, signOut } from '../state/session.ts'
import { settingsSections } from '../state/settings-sections.ts'
import { settled } from '../state/settled.ts'
import { linkToShare } from '../state/shared-address.ts'
import { showError, showToast } from '../state/toasts.ts'
import { foundViews, sections } from '../state/views.ts'
import { paletteText } from '../text/palette.ts'
import { shellText } from '../text/shell.ts'
import { type PaletteEntry, ranked } from './entry.ts'
import { type FoundCall, type FoundThings, findThings, placesOf } from './find-call.ts'
import { idInText, type NamedObject, objectInText } from './id-in-text.ts'

/** The views of a project and the pages that belong to none. */
const viewEntries = (projectId: string | undefined): PaletteEntry[] => [
  ...(projectId === undefined ? [] : sections.flat()).map(
    ({ view, title, icon, key }): PaletteEntry => ({
      id: `view ${view}`,
      group: paletteText.views,
      label: title,
      detail: `g ${key}`,
      icon,
      run: () => navigate(viewPath(projectId ?? '', view)),
    }),
  ),
  ...(projectId === undefined ? [] : foundViews).map(
    ({ view, title }): PaletteEntry => ({
      id: `view ${view}`,
      group: paletteText.views,
      label: title,
      icon: Star,
      run: () => navigate(viewPath(projectId ?? '', view)),
    }),
  ),
  {
    id: 'view home',
    group: paletteText.views,
    label: shellText.allProjects,
    icon: FolderOpen,
    run: () => navigate(homePath),
  },
  ...(isOperator.value
    ? [
        {
          id: 'view sql',
          group: paletteText.views,
          label: shellText.sql,
          detail: 'g q',
          icon: SquareTerminal,
          run: () => navigate(sqlPath()),
        },
      ]
    : []),
  ...settingsSections(session.value?.role).map(
    ({ id, name }): PaletteEntry => ({
      id: `settings ${id}`,
      group: paletteText.settings,
      label: name,
      words: shellText.settings,
      icon: SlidersHorizontal,
      run: () => navigate(settingsPath(id)),
    }),
  ),
]

/** Projects, opened at the view that is open now. */
const projectEntries = (projects: readonly ProjectSummary[]): PaletteEntry[] =>
  projects.map(({ project_id, last_call_at }) => ({
    id: `project ${project_id}`,
    group: paletteText.projects,
    label: project_id,
    detail: last_call_at === null ? undefined : formatAgo(last_call_at),
    icon: FolderOpen,
    run: () => navigate(viewPath(project_id, 'traces')),
  }))

/** Things that can be done anywhere. */
const actionEntries = (): PaletteEntry[] => [
  action('light', paletteText.lightTheme, Sun, () => prefer({ theme: 'light' }), shellText.theme),
  action('dark', paletteText.darkTheme, Moon, () => prefer({ theme: 'dark' }), shellText.theme),
  action('system', paletteText.systemTheme, Monitor, () => prefer({ theme: 'system' }), shellText.theme),
  action('rail', paletteText.foldRail, PanelLeft, () => prefer({ railOpen: !(preferences.peek().railOpen ?? true) })),
  action('link', paletteText.copyLink, Copy, () => {
    navigator.clipboard
      .writeText(linkToShare())
      .then(() => showToast({ kind: 'done', text: paletteText.linkCopied }))
      .catch(showError)
  }),
  action('guide', paletteText.openGuide, BookOpen, () => location.assign(guidePath), paletteText.guideWords),
  action('sign-out', shellText.signOut, LogOut, () => {
    signOut().catch(showError)
  }),
]

const action = (
  id: string,
  label: string,
  icon: PaletteEntry['icon'],
  run: () => void,
  words?: string,
): PaletteEntry => ({ id: `action ${id}`, group: paletteText.actions, label, words, icon, run })

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
    : [...viewEntries(projectId), ...(typed === '' ? [] : [...operations, ...objects]), ...actionEntries()]
  const hits = ranked(typed, onlyProjects ? all : [...rest, ...(typed === '' ? all.slice(0, perGroupMax) : all)])
  return {
    entries: [...byId, ...grouped(hits, onlyProjects ? Number.POSITIVE_INFINITY : perGroupMax)],
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
    label: `${kind} ${wholeOpName(opName(op))}, ${shortId(callId ?? traceId)}`,
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
    label: wholeOpName(opName(String(value))),
    detail: `${formatCount(count)} calls`,
    icon: SquareFunction,
    run: () => openCalls(projectId, `op=${JSON.stringify(wholeOpName(opName(String(value))))}`),
  }))
}

/** Objects by their latest versions. */
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
    run: () => navigate(pageOf(base_object_class)(projectId ?? '', object_id)),
  }))
}

/** Which page shows an object of a class. */
const pageOf = (base: string | null) =>
  base === 'Prompt'
    ? promptPath
    : base === 'Dataset'
      ? datasetPath
      : base === 'Leaderboard'
        ? leaderboardPath
        : base === 'Scorer'
          ? scorerPath
          : objectPath

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
