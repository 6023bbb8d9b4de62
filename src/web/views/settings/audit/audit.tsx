import { Download, ScrollText } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { type AuditEntry, auditQuery, readAudit } from '../../../api/audit.ts'
import { saveBlob } from '../../../api/download.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Badge } from '../../../components/display/badge.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { csvBlob, csvLine } from '../../../format/csv.ts'
import { formatCount } from '../../../format/number.ts'
import { formatAgo, formatFullTime } from '../../../format/time.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { showError, showToast } from '../../../state/toasts.ts'
import { urlState } from '../../../state/url-state.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { auditText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import { AuditFilters } from './audit-filters.tsx'
import { auditUrl, filterOf } from './audit-url.ts'

const page = 100
const most = 1000
const exportedMax = 50_000
const url = urlState(auditUrl)

/** The audit log, newest entries first. */
export default function Audit() {
  const values = url.values.value
  const [limit, setLimit] = useState(page)
  // Not at every render: a range of the last hour would never be read twice.
  const filter = useMemo(() => filterOf(values, Date.now()), [values])
  const { data, error, refetch } = useQuery(auditQuery(filter, limit))
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const { entries, isCut } = await readAudit(filter, exportedMax)
      saveBlob(auditCsv(entries), `audit-${new Date().toISOString().slice(0, 10)}.csv`)
      showToast({ kind: 'done', text: auditText.saved(formatCount(entries.length), isCut) })
    } catch (problem) {
      showError(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section
      title={settingsText.sections.audit}
      lead={auditText.lead}
      action={
        <Button icon={Download} busy={isBusy} disabled={!data?.entries.length} onClick={save}>
          {auditText.export}
        </Button>
      }
    >
      <AuditFilters
        values={values}
        entries={data?.entries ?? []}
        onChange={(changes) => {
          setLimit(page)
          url.commit(changes)
        }}
      />
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="1fr 2fr 1fr 80px 80px" rows={6} height={40} />
      ) : data.entries.length === 0 ? (
        <EmptyState icon={ScrollText} title={auditText.none}>
          {auditText.noneReason}
        </EmptyState>
      ) : (
        <>
          <Table
            label={settingsText.sections.audit}
            columns={[
              { id: 'who', name: auditText.who },
              { id: 'what', name: auditText.what, isWide: true },
              { id: 'projects', name: auditText.projects, isExtra: true },
              { id: 'result', name: auditText.result },
              { id: 'when', name: auditText.when, isNumber: true },
            ]}
            rows={data.entries.map((entry) => ({ id: entry.id, cells: cellsOf(entry) }))}
          />
          {data.has_more && limit < most && (
            <Button onClick={() => setLimit(Math.min(limit + 300, most))}>{auditText.more}</Button>
          )}
        </>
      )}
    </Section>
  )
}

const cellsOf = (entry: AuditEntry) => ({
  who: (
    <span class={css.who}>
      {entry.ext_username || auditText.unknown}
      {entry.address !== null && <span class={css.hint}>{entry.address}</span>}
    </span>
  ),
  what: (
    <>
      <code class={css.operation}>{entry.operation}</code>
      {subjectOf(entry) && <span class={css.hint}>{subjectOf(entry)}</span>}
      {entry.reason !== null && (
        <span class={css.hint} dir="auto">
          “{entry.reason}”
        </span>
      )}
    </>
  ),
  projects: auditText.items(entry.project_ids[0] ?? '', entry.project_ids.length - 1),
  result: <Badge tone={entry.status < 400 ? 'ok' : 'error'}>{String(entry.status)}</Badge>,
  when: <span data-tip={formatFullTime(entry.created_at)}>{formatAgo(entry.created_at)}</span>,
})

/** Subject of the entry: the ids that the request named, or the number of requests. */
function subjectOf({ item_ids, items, requests }: AuditEntry): string {
  if (requests > 1) return auditText.requests(formatCount(requests))
  return item_ids[0] === undefined ? '' : auditText.items(item_ids[0], items - 1)
}

const columns = [
  'time',
  'last_time',
  'user',
  'user_id',
  'address',
  'kind',
  'operation',
  'projects',
  'items',
  'item_count',
  'requests',
  'status',
  'reason',
  'request_id',
] as const

/** Entries of the audit log as a file. */
const auditCsv = (entries: readonly AuditEntry[]): Blob =>
  csvBlob([
    csvLine(columns),
    ...entries.map((entry) =>
      csvLine([
        entry.created_at,
        entry.last_at,
        entry.ext_username,
        entry.ext_user_id,
        entry.address,
        entry.kind,
        entry.operation,
        entry.project_ids.join(' '),
        entry.item_ids.join(' '),
        entry.items,
        entry.requests,
        entry.status,
        entry.reason,
        entry.request_id,
      ]),
    ),
  ])
