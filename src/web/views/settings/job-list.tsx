import { ListChecks } from 'lucide'
import { jobsQuery } from '../../api/server.ts'
import { Badge, type BadgeTone } from '../../components/display/badge.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo } from '../../format/time.ts'
import { useQuery } from '../../state/query-signal.ts'
import { serverText } from '../../text/settings/server.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './settings.module.css'

const askAgainMs = 10_000

const tones: Readonly<Record<string, BadgeTone>> = {
  waiting: 'accent',
  completed: 'ok',
  failed: 'error',
  cancelled: 'outline',
}

/** Jobs, the newest first. */
export default function JobList() {
  const { data, error, refetch } = useQuery({ ...jobsQuery, refetchInterval: askAgainMs })
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
            { id: 'state', name: serverText.state },
            { id: 'requested', name: serverText.requested, isNumber: true },
          ]}
          rows={data.jobs.map((job) => ({
            id: job.id,
            cells: {
              job: (
                <>
                  {job.kind.replaceAll('_', ' ')} <code>{job.id}</code>
                  {job.error !== null && <span class={css.hint}>{job.error}</span>}
                </>
              ),
              project: job.project_id,
              state: (
                <>
                  <Badge tone={tones[job.state] ?? 'neutral'}>{job.state}</Badge>
                  {job.attempts > 0 && <span class={css.hint}>{serverText.attempts(job.attempts)}</span>}
                </>
              ),
              requested: formatAgo(job.created_at),
            },
          }))}
        />
      )}
    </Section>
  )
}
