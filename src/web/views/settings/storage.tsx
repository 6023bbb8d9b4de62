import type { Storage as Stored } from '../../../domains/admin/index.ts'
import { storageQuery } from '../../api/server.ts'
import { Section } from '../../components/display/section.tsx'
import { Sparkline } from '../../components/display/sparkline.tsx'
import { Table } from '../../components/display/table.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatBytes, formatCount, formatShare } from '../../format/number.ts'
import { viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { serverText } from '../../text/settings/server.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './storage.module.css'

const seriesMax = 7

/** Size of the data folder by table, and of the data sent by clients by project. */
export default function Storage() {
  const { data, error, refetch } = useQuery(storageQuery)
  if (error) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return <LoadingRows columns="2fr 1fr 1fr 60px" rows={5} height={40} />
  const tables = data.tables.filter(({ rows, memory_rows }) => rows + memory_rows > 0)
  return (
    <>
      <Section title={settingsText.sections.storage} lead={serverText.storageLead(data.folder)}>
        <Tables stored={data} tables={tables.toSorted((a, b) => b.bytes - a.bytes)} />
      </Section>
      {data.projects.length > 0 && (
        <Section title={serverText.projects} lead={serverText.projectsLead}>
          <Table
            label={serverText.projects}
            columns={[
              { id: 'project', name: serverText.project, isWide: true },
              { id: 'call_bytes', name: serverText.calls, isNumber: true, isExtra: true },
              { id: 'object_bytes', name: serverText.objects, isNumber: true, isExtra: true },
              { id: 'table_row_bytes', name: serverText.tableRows, isNumber: true, isExtra: true },
              { id: 'file_bytes', name: serverText.files, isNumber: true, isExtra: true },
              { id: 'total', name: serverText.bytes, isNumber: true },
              { id: 'disk', name: serverText.onDisk, isNumber: true },
            ]}
            rows={data.projects.map(({ project_id, bytes, calls, disk_bytes, ...parts }) => ({
              id: project_id,
              cells: {
                project: (
                  <a href={viewPath(project_id, 'traces')} data-tip={`${formatCount(calls)} calls`}>
                    {project_id}
                  </a>
                ),
                ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, sizeOrDash(part)])),
                total: <b class={css.size}>{formatBytes(bytes)}</b>,
                disk: sizeOrDash(disk_bytes),
              },
            }))}
          />
          {data.has_more && <p class={css.more}>{serverText.more}</p>}
        </Section>
      )}
    </>
  )
}

const sizeOrDash = (bytes: number): string => (bytes === 0 ? '–' : formatBytes(bytes))

function Tables({ stored, tables }: { stored: Stored; tables: Stored['tables'] }) {
  const inMemory = tables.reduce((sum, { memory_bytes }) => sum + memory_bytes, 0)
  const { bytes: all, disk_bytes, disk_free_bytes, days } = stored
  if (tables.length === 0) return <p class={css.more}>{serverText.empty}</p>
  return (
    <div class={css.total}>
      <p>
        <b class={css.figure}>{formatBytes(all)}</b>
        {disk_bytes !== null && disk_free_bytes !== null && (
          <span>{serverText.disk(formatBytes(disk_bytes), formatBytes(disk_free_bytes))}</span>
        )}
      </p>
      {all > 0 && (
        <div class={css.bar} aria-hidden>
          {tables.map(({ name, bytes }, index) => (
            <span key={name} style={{ flexGrow: bytes, background: series(index) }} />
          ))}
        </div>
      )}
      <ul>
        {tables.map(({ name, bytes, rows, memory_rows }, index) => (
          <li key={name} class={css.line}>
            <span class={css.swatch} style={{ background: series(index) }} />
            <span class={css.name}>{name.replaceAll('_', ' ')}</span>
            <span class={css.count}>{serverText.rows(formatCount(rows + memory_rows))}</span>
            <b class={css.size}>{formatBytes(bytes)}</b>
            <span class={css.share}>{formatShare(all === 0 ? 0 : bytes / all)}</span>
          </li>
        ))}
      </ul>
      {inMemory > 0 && <p class={css.more}>{serverText.memory(formatBytes(inMemory))}</p>}
      {days.length > 1 && (
        <div class={css.days}>
          <h3>{serverText.addedPerDay}</h3>
          <Sparkline values={days.map(({ bytes }) => bytes)} label={serverText.addedPerDay} width={300} height={40} />
        </div>
      )}
    </div>
  )
}

const series = (index: number): string => (index < seriesMax ? `var(--c${index + 1})` : 'var(--c8)')
