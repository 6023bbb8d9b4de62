import { ListChecks } from 'lucide'
import { useState } from 'preact/hooks'
import { isKeyOf } from '../../../lib/present.ts'
import { cancelJob, type Job, jobsQuery, runProgressQuery } from '../../api/server.ts'
import { Badge, type BadgeTone } from '../../components/display/badge.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { runPath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { serverText } from '../../text/settings/server.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './settings.module.css'

const askAgainMs = 10_000
const runningAgainMs = 2_000

const tones: Readonly<Record<string, BadgeTone>> = {
  waiting: 'accent',
  completed: 'ok',
  failed: 'error',
  cancelled: 'outline',
}

/** Jobs, the newest first. */
export default function JobList() {
  const { data, error, refetch } = useQuery({
    ...jobsQuery,
    refetchInterval: ({ state }) => (state.data?.waiting ? runningAgainMs : askAgainMs),
  })
  const [leaving, setLeaving] = useState<Job>()
  return (
    <Section
      title={settingsText.sections.jobs}
      lead={`${serverText.jobsLead} ${data ? serverText.jobsWaiting(data.waiting) : ''}`}
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 1fr 80px" rows={4} height={40} />
      ) : data.jobs.length === 0 ? (
        <EmptyState icon={ListChecks} title={serverText.noJobs}>
          {serverText.noJobsReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.jobs}
          columns={[
            { id: 'job', name: serverText.what, isWide: true },
            { id: 'project', name: serverText.project, isExtra: true },
            { id: 'who', name: serverText.who, isExtra: true },
            { id: 'state', name: serverText.state },
            { id: 'requested', name: serverText.requested, isNumber: true, isExtra: true },
            { id: 'ended', name: serverText.ended, isNumber: true, isExtra: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={data.jobs.map((job) => ({
            id: job.id,
            cells: {
              job: (
                <>
                  <JobName of={job} />
                  <span class={css.hint}>{job.id}</span>
                  {job.error !== null && <span class={css.hint}>{job.error}</span>}
                </>
              ),
              project: job.project_id,
              who: job.ext_username,
              state: (
                <>
                  <Badge tone={tones[job.state] ?? 'neutral'}>{job.state}</Badge>
                  <JobProgress of={job} />
                  {job.attempts > 0 && <span class={css.hint}>{serverText.attempts(job.attempts)}</span>}
                </>
              ),
              requested: <span data-tip={formatFullTime(job.created_at)}>{formatAgo(job.created_at)}</span>,
              ended: !isUnfinished(job) && job.updated_at !== null && (
                <span data-tip={formatFullTime(job.updated_at)}>{formatAgo(job.updated_at)}</span>
              ),
              menu: isUnfinished(job) && job.kind !== 'erase_project' && (
                <MenuButton
                  label={accessText.actions(job.id)}
                  side="end"
                  size="compact"
                  items={[{ label: serverText.cancelJob, danger: true, run: () => setLeaving(job) }]}
                />
              ),
            },
          }))}
        />
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={serverText.cancelTitle}
        verb={serverText.cancelVerb}
        keep={serverText.cancelKeep}
        run={async () => {
          if (leaving) await cancelJob(leaving.id)
          await queries.invalidateQueries({ queryKey: jobsQuery.queryKey })
        }}
      >
        <p>{serverText.cancelText}</p>
      </ConfirmDialog>
    </Section>
  )
}

const isUnfinished = ({ state }: Job): boolean => state === 'waiting' || state === 'paused'

/** Whether it is a run of an evaluation, whose call has the id of the job. */
const isRun = ({ kind }: Job): boolean => kind === 'evaluate_model' || kind === 'rescore'

/** What the job does, with the way to its results. */
function JobName({ of: job }: { readonly of: Job }) {
  const words = isKeyOf(serverText.jobKinds, job.kind) ? serverText.jobKinds[job.kind] : job.kind.replaceAll('_', ' ')
  return isRun(job) ? <a href={runPath(job.project_id, job.id)}>{words}</a> : <span>{words}</span>
}

/** How far a job has come: with a bar until it ends, in words afterwards. */
function JobProgress({ of: job }: { readonly of: Job }) {
  if (job.progress === null) return job.state === 'waiting' && isRun(job) ? <RunProgress of={job} /> : null
  const { done, total } = job.progress
  if (total === null) return <span class={css.hint}>{serverText.callsDone(formatCount(done))}</span>
  const words = serverText.callsOf(formatCount(done), formatCount(total))
  return <Progress done={done} all={total} words={words} isOver={!isUnfinished(job)} />
}

/** How many rows of a run are done. */
function RunProgress({ of: { project_id, id } }: { readonly of: Job }) {
  const { data } = useQuery({ ...runProgressQuery(project_id, id), refetchInterval: runningAgainMs })
  if (data === undefined || data.total === 0) return null
  const words = serverText.rowsOf(formatCount(data.done), formatCount(data.total))
  return <Progress done={data.done} all={data.total} words={words} isOver={false} />
}

interface ProgressProps {
  readonly done: number
  readonly all: number
  readonly words: string
  readonly isOver: boolean
}

const Progress = ({ done, all, words, isOver }: ProgressProps) => (
  <span class={css.hint}>
    {!isOver && <progress value={done} max={Math.max(1, all)} aria-label={serverText.progress} />} {words}
  </span>
)
