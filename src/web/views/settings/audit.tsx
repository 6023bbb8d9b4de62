import { ScrollText } from 'lucide'
import { useState } from 'preact/hooks'
import type { AuditEntries } from '../../../domains/audit/index.ts'
import { keysOf } from '../../../lib/present.ts'
import { type AuditChoice, auditQuery } from '../../api/settings.ts'
import { Button } from '../../components/controls/button.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { useQuery } from '../../state/query-signal.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { auditText } from '../../text/settings/settings-pages.ts'
import css from './settings.module.css'

const page = 100
const most = 1000
const choices = keysOf(auditText.kinds).map((id) => ({ id, label: auditText.kinds[id] }))

/** The audit log, newest entries first. */
export default function Audit() {
  const [choice, setChoice] = useState<AuditChoice>('people')
  const [limit, setLimit] = useState(page)
  const { data, error, refetch } = useQuery(auditQuery(choice, limit))
  return (
    <Section
      title={settingsText.sections.audit}
      lead={auditText.lead}
      action={
        <Select
          label={auditText.kind}
          hideLabel
          options={choices}
          value={choice}
          onChange={(id) => {
            setChoice(id)
            setLimit(page)
          }}
        />
      }
    >
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

type Entry = AuditEntries['entries'][number]

const cellsOf = (entry: Entry) => ({
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
function subjectOf({ item_ids, items, requests }: Entry): string {
  if (requests > 1) return auditText.requests(formatCount(requests))
  return item_ids[0] === undefined ? '' : auditText.items(item_ids[0], items - 1)
}
