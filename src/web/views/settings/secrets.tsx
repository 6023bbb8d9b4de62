import { LockKeyhole, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { removeSecret, type SecretRecord, secretsQuery } from '../../api/secrets.ts'
import { formatDate } from '../../format/time.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadingRows } from '../../parts/loading-rows.tsx'
import { MenuButton } from '../../parts/menu-button.tsx'
import { Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import { queries, useQuery } from '../../state/query-signal.ts'
import { accessText } from '../../text/access.ts'
import { partsText } from '../../text/parts.ts'
import { settingsText } from '../../text/settings.ts'
import { NewSecretDialog } from './new-secret-dialog.tsx'
import css from './settings.module.css'

const readAgain = () => queries.invalidateQueries({ queryKey: secretsQuery.queryKey })

/** API keys of model providers, by name. */
export default function Secrets() {
  const { data, error, refetch } = useQuery(secretsQuery)
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<SecretRecord>()
  const secrets = data?.secrets ?? []
  return (
    <Section
      title={settingsText.sections.secrets}
      lead={accessText.secretsLead}
      action={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          {accessText.add}
        </Button>
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 2fr 80px" rows={3} height={40} />
      ) : secrets.length === 0 ? (
        <EmptyState icon={LockKeyhole} title={accessText.noSecrets}>
          {accessText.noSecretsReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.secrets}
          columns={[
            { id: 'name', name: accessText.name, isWide: true },
            { id: 'scope', name: accessText.scope },
            { id: 'hosts', name: accessText.hosts, isExtra: true },
            { id: 'updated', name: accessText.updated, isNumber: true, isExtra: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={secrets.map((secret) => ({
            id: `${secret.name} ${secret.scope}`,
            cells: {
              name: (
                <span class={css.name}>
                  <Icon of={LockKeyhole} />
                  <code>{secret.name}</code>
                </span>
              ),
              scope: secret.scope === '*' ? accessText.allProjects : secret.scope,
              hosts: secret.hosts.join(', '),
              updated: formatDate(secret.updated_at),
              menu: (
                <MenuButton
                  label={accessText.actions(secret.name)}
                  side="end"
                  size="compact"
                  items={[{ label: accessText.remove, danger: true, run: () => setLeaving(secret) }]}
                />
              ),
            },
          }))}
        />
      )}
      {isAdding && <NewSecretDialog onClose={() => setAdding(false)} onMade={readAgain} />}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={accessText.removeTitle(leaving?.name ?? '')}
        verb={accessText.remove}
        keep={accessText.keep}
        run={async () => {
          if (leaving) await removeSecret(leaving)
          await readAgain()
        }}
      >
        <p>{accessText.removeText}</p>
      </ConfirmDialog>
    </Section>
  )
}
