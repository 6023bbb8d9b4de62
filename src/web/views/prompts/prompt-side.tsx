import { postRows } from '../../api/lines.ts'
import { classNames } from '../../components/display/class-names.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusOf } from '../../components/display/statuses.ts'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { lineOfError } from '../../format/error.ts'
import { formatCountUpTo } from '../../format/number.ts'
import { formatFullTime, formatWhen } from '../../format/time.ts'
import { VerdictPlace, VersionVerdict } from '../../prompt/version-verdict.tsx'
import type { VersionVerdict as FoundVerdict } from '../../prompt/version-verdicts.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { promptText } from '../../text/prompt.ts'
import type { DayUses } from '../../versions/day-uses.ts'
import { type ObjectVersion, refOf, scoredCallsMax, type VersionUse } from '../../versions/objects.ts'
import { callsPath, VersionList } from '../../versions/version-list.tsx'
import layout from '../../versions/version-page.module.css'
import css from './prompt-side.module.css'

const callsShown = 12

interface PromptSideProps {
  readonly projectId: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion | undefined
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  /** Description of the changes of each version, by digest. */
  readonly notes: ReadonlyMap<string, string> | undefined
  readonly dayUses: DayUses | undefined
  /** What comparisons say of versions, by digest; undefined while one is read. */
  readonly verdicts: ReadonlyMap<string, FoundVerdict | undefined>
  /** One part alone, as a tab. */
  readonly only: 'versions' | 'calls' | undefined
  readonly hrefOf: (version: ObjectVersion) => string
  readonly menuOf: (version: ObjectVersion) => readonly MenuItem[]
}

/** Versions of a prompt, and the calls that used the one that is shown. */
export function PromptSide(props: PromptSideProps) {
  const { projectId, versions, current, uses, notes, dayUses, verdicts, only, hrefOf, menuOf } = props
  const use = current && uses?.get(current.digest)
  const hasScores = [...(uses?.values() ?? [])].some(({ scores }) => scores.length > 0)
  return (
    <aside class={only !== undefined ? layout.alone : classNames(layout.side, css.side)} id={only && 'prompt-panel'}>
      {only !== 'calls' && (
        <>
          <h2 class={layout.head}>
            {promptText.versions} <span class={layout.count}>{versions.length}</span>
            {hasScores && <span class={css.note}>{promptText.scoresOf(scoredCallsMax)}</span>}
          </h2>
          <nav aria-label={promptText.versions}>
            <VersionList
              projectId={projectId}
              versions={versions}
              current={current}
              uses={uses}
              hrefOf={hrefOf}
              menuOf={menuOf}
              noteOf={({ digest }) => notes?.get(digest)}
              dayUses={dayUses}
              verdictOf={({ digest }) => {
                const found = verdicts.get(digest)
                return found ? <VersionVerdict found={found} /> : verdicts.has(digest) && <VerdictPlace />
              }}
            />
          </nav>
        </>
      )}
      {only !== 'versions' && current && (
        <>
          <h2 class={layout.head}>
            {promptText.callsUsing} <span class={layout.count}>v{current.version_index}</span>
            {use && use.calls > 0 && (
              <a class={css.note} href={callsPath(projectId, current)}>
                {promptText.allCalls(formatCountUpTo(use.calls, 9_999))}
              </a>
            )}
          </h2>
          <Calls projectId={projectId} version={current} />
        </>
      )}
    </aside>
  )
}

interface CallLine {
  readonly id: string
  readonly trace_id: string
  readonly started_at: string
  readonly exception?: string | null
  readonly inputs_preview?: string | null
  readonly output_preview?: string | null
  readonly summary?: { readonly ext?: { readonly status?: string | null; readonly latency_ms?: number | null } }
}

function Calls({ projectId, version }: { projectId: string; version: ObjectVersion }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['object calls', projectId, version.digest],
    queryFn: ({ signal }) =>
      postRows<CallLine>(
        '/calls/stream_query',
        {
          project_id: projectId,
          filter: { input_refs: [refOf(projectId, version)] },
          columns: ['id', 'trace_id', 'started_at', 'exception', 'summary.ext.status', 'summary.ext.latency_ms'],
          preview_chars: 120,
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          limit: callsShown,
        },
        { signal },
      ),
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows columns="16px 1fr 50px 40px" rows={6} height={28} />
  if (data.length === 0) return <p class={css.none}>{promptText.noCalls}</p>
  return (
    <ul>
      {data.map((call) => {
        const { status, latency_ms: latency } = call.summary?.ext ?? {}
        const failure = lineOfError(call.exception)
        return (
          <li key={call.id}>
            <a class={css.call} href={tracePath(projectId, call.trace_id, call.id)}>
              <StatusIcon status={statusOf(status)} />
              <span class={failure === null ? 'cut' : css.error} dir="auto">
                {failure ?? (call.output_preview || call.inputs_preview || call.id)}
              </span>
              <span class={css.number}>{latency == null ? '' : formatDuration(latency)}</span>
              <span class={css.when} data-tip={formatFullTime(call.started_at)}>
                {formatWhen(call.started_at)
                  .slice(-8)
                  .replace(/:\d\d$/, '')
                  .replace(/^.*, /, '')}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
