import { Box, Search, SquareFunction } from 'lucide'
import { post } from '../api/client.ts'
import { formatFilter } from '../filter/format-filter.ts'
import { opName, shortId } from '../format/ids.ts'
import { formatCount } from '../format/number.ts'
import { wholeOpName } from '../format/op-names.ts'
import { formatWhen } from '../format/time.ts'
import { leaderboardPath, scorerPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { datasetPath, objectPath, promptPath, threadPath, tracePath, viewPath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { paletteText } from '../text/palette.ts'
import type { PaletteEntry } from './entry.ts'
import type { FoundCall, FoundThings } from './find-call.ts'
import type { NamedObject } from './id-in-text.ts'

/** The calls that have what was typed in any text. */
export const searchEntry = (projectId: string, typed: string): PaletteEntry => ({
  id: 'search calls',
  group: paletteText.calls,
  label: paletteText.callsWith(typed),
  icon: Search,
  run: () => {
    const filter = formatFilter({ kind: 'text', text: typed })
    navigate(viewPath(projectId, 'calls', `?f=${encodeURIComponent(filter)}`))
  },
})

/** What has the id that was typed. */
export const entriesOf = (found: FoundThings | null | undefined): PaletteEntry[] => [
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

/** An object that was named by its reference. */
export const objectEntry = ({ projectId, name, digest }: NamedObject): PaletteEntry => ({
  id: `object ${name} ${digest}`,
  group: paletteText.byId,
  label: `${paletteText.object} ${name}, ${shortId(digest)}`,
  detail: projectId,
  icon: Box,
  run: () => navigate(objectPath(projectId, name, digest)),
})

/** What is stored under names, as far as it has been read. */
interface ReadEntries {
  readonly entries: readonly PaletteEntry[]
  /** Whether nothing follows. */
  readonly isRead: boolean
}

/** Ops by how often they were called; the server may have looked at a sample only. */
export function useOperations(projectId: string | undefined): ReadEntries {
  const { data, isError } = useQuery({
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
  const entries = (data?.values ?? []).map(({ value, count }) => ({
    id: `op ${value}`,
    group: paletteText.operations,
    label: wholeOpName(opName(String(value))),
    detail: `${formatCount(count)} calls`,
    icon: SquareFunction,
    run: () => openCalls(projectId, `op=${JSON.stringify(wholeOpName(opName(String(value))))}`),
  }))
  return { entries, isRead: data !== undefined || isError }
}

/** Objects by their latest versions. */
export function useObjects(projectId: string | undefined): ReadEntries {
  const { data, isError } = useQuery({
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
  const entries = (data?.objs ?? []).map(({ object_id, base_object_class }) => ({
    id: `object ${object_id}`,
    group: paletteText.objects,
    label: object_id,
    detail: base_object_class ?? undefined,
    icon: Box,
    run: () => navigate(pageOf(base_object_class)(projectId ?? '', object_id)),
  }))
  return { entries, isRead: data !== undefined || isError }
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
