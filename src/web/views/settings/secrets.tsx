import { LockKeyhole, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { removeSecret, type SecretRecord, secretsQuery, setSecret } from '../../api/settings.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { navigate } from '../../state/location.ts'
import { settingsPath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { showToast } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './settings.module.css'
import { SettingsForm } from './settings-form.tsx'

/** Asks for a provider's key. The value leaves this page once and is never read back. */
function SecretDialog({ before, onClose, onMade }: SecretDialogProps) {
  const [name, setName] = useState(before?.name ?? '')
  const [value, setValue] = useState('')
  const [scope, setScope] = useState(before?.scope ?? '*')
  const [hosts, setHosts] = useState(before?.hosts.join(', ') ?? '')
  const isReady = name.trim() !== '' && value !== '' && scope.trim() !== ''
  const save = async (): Promise<void> => {
    const list = hosts.split(',').map((host) => host.trim())
    await setSecret({ name: name.trim(), value, scope: scope.trim(), hosts: list.filter(Boolean) })
    onMade()
  }
  return (
    <SettingsForm
      title={before ? accessText.replaceTitle(before.name) : accessText.add}
      verb={before ? accessText.replaceVerb : accessText.set}
      isReady={isReady}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          {before ? (
            <p>{accessText.replaceText}</p>
          ) : (
            <Field
              label={accessText.secretName}
              mono
              autofocus
              value={name}
              error={problem}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
          <Field
            label={before ? accessText.newValue : accessText.value}
            autofocus={before !== undefined}
            error={before && problem}
            type="password"
            autocomplete="off"
            mono
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
          {before === undefined && (
            <Field
              label={accessText.scope}
              hint={accessText.scopeHint}
              value={scope}
              onInput={(event) => setScope(event.currentTarget.value)}
            />
          )}
          <Field
            label={accessText.hosts}
            hint={accessText.hostsHint}
            value={hosts}
            onInput={(event) => setHosts(event.currentTarget.value)}
          />
        </>
      )}
    </SettingsForm>
  )
}

interface SecretDialogProps {
  /** The secret whose value is replaced; undefined for a new one. */
  readonly before?: SecretRecord | undefined
  readonly onClose: () => void
  readonly onMade: () => unknown
}

const readAgain = () => queries.invalidateQueries({ queryKey: secretsQuery.queryKey })

/** Who has set secrets, and when. */
const secretsLogPath = `${settingsPath('audit')}?show=admin&op=secrets.set`

/** API keys of model providers, by name. */
export default function Secrets() {
  const { data, error, refetch } = useQuery(secretsQuery)
  const [isAdding, setAdding] = useState(false)
  const [replacing, setReplacing] = useState<SecretRecord>()
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
              updated: <span data-tip={formatFullTime(secret.updated_at)}>{formatAgo(secret.updated_at)}</span>,
              menu: (
                <MenuButton
                  label={accessText.actions(secret.name)}
                  side="end"
                  size="compact"
                  items={[
                    { label: accessText.replace, run: () => setReplacing(secret) },
                    { label: accessText.secretHistory, run: () => navigate(secretsLogPath) },
                    { label: accessText.remove, danger: true, separator: true, run: () => setLeaving(secret) },
                  ]}
                />
              ),
            },
          }))}
        />
      )}
      {isAdding && <SecretDialog onClose={() => setAdding(false)} onMade={readAgain} />}
      {replacing && (
        <SecretDialog
          before={replacing}
          onClose={() => setReplacing(undefined)}
          onMade={() => {
            showToast({ kind: 'done', text: accessText.replaced(replacing.name) })
            return readAgain()
          }}
        />
      )}
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
