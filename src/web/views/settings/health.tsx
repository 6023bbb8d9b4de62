import { healthQuery, serverSettingsQuery } from '../../api/server.ts'
import { base } from '../../base.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo } from '../../format/time.ts'
import { useQuery } from '../../state/query-signal.ts'
import { serverText } from '../../text/settings/server.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './health.module.css'

const askAgainMs = 10_000

/** How the server is, and what it runs with. */
export default function Health() {
  const health = useQuery({ ...healthQuery, refetchInterval: askAgainMs })
  const settings = useQuery(serverSettingsQuery)
  return (
    <>
      <Section title={settingsText.sections.health} lead={serverText.healthLead}>
        <div class={css.states}>
          {health.error && <Banner tone="error">{health.error.message}</Banner>}
          {health.data && !health.error && (
            <Banner tone={health.data.isWell ? 'ok' : 'error'}>
              {health.data.isWell ? serverText.healthy : `${serverText.unhealthy}: ${health.data.reason}`}
            </Banner>
          )}
          {health.data && health.data.damagedFiles > 0 && (
            <Banner>{serverText.damaged(health.data.damagedFiles)}</Banner>
          )}
        </div>
        <p class={css.metrics}>
          {serverText.metrics} <code>{`${location.origin}${base}/metrics`}</code>
        </p>
      </Section>
      <Section
        title={serverText.configuration}
        lead={
          settings.data &&
          `${serverText.configurationLead(settings.data.version, settings.data.runtime, settings.data.platform)} ${serverText.started(formatAgo(settings.data.started_at))}`
        }
      >
        {settings.error ? (
          <ErrorState error={settings.error} retry={settings.refetch} />
        ) : settings.data === undefined ? (
          <LoadingRows columns="1fr 2fr 80px" rows={8} height={40} />
        ) : (
          <Table
            label={serverText.configuration}
            columns={[
              { id: 'name', name: serverText.setting },
              { id: 'value', name: serverText.value, isWide: true },
              { id: 'source', name: serverText.source, isExtra: true },
            ]}
            rows={settings.data.settings.map(({ name, value, is_secret, source }) => ({
              id: name,
              isOff: isUnset(value) && source === 'default',
              cells: {
                name: <code>{name}</code>,
                value: is_secret && source !== 'default' ? '•••' : String(isUnset(value) ? serverText.unset : value),
                source: source === 'default' ? source : <Badge>{source}</Badge>,
              },
            }))}
          />
        )}
      </Section>
    </>
  )
}

const isUnset = (value: unknown): boolean => value === null || value === ''
