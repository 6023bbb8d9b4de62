import { BellRing, FolderOpen, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { isKeyOf, keysOf } from '../../../lib/present.ts'
import {
  createAlert,
  deleteRule,
  pauseRule,
  type Rule,
  type RuleCondition,
  type RuleMetric,
  rulesQuery,
  testRule,
} from '../../api/settings.ts'
import { Button } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCost, formatCount, formatNumber, formatShare } from '../../format/number.ts'
import { navigate } from '../../state/location.ts'
import { homePath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { usePlace } from '../../state/use-place.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { rulesText } from '../../text/settings/rules.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { shellText } from '../../text/shell.ts'
import { FormDialog } from './form-dialog.tsx'
import css from './settings.module.css'

/** The mean of a score also needs the name of a scorer: the API has it. */
const metrics = keysOf(rulesText.metrics).filter((id) => id !== 'score_avg')
const windows = Object.entries(rulesText.windows).map(([id, label]) => ({ id, label }))

/** Asks for a threshold and for the webhook to call when it is crossed. */
function NewAlertDialog({ projectId, onClose, onMade }: NewAlertDialogProps) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [metric, setMetric] = useState<RuleMetric>('error_rate')
  const [comparison, setComparison] = useState<RuleCondition['comparison']>('above')
  const [threshold, setThreshold] = useState('0.05')
  const [window, setWindow] = useState('300')
  const isNumber = threshold.trim() !== '' && Number.isFinite(Number(threshold))
  const save = async (): Promise<void> => {
    const condition = { metric, comparison, threshold: Number(threshold), window_seconds: Number(window) }
    onMade(await createAlert(projectId, { name: name.trim(), url: url.trim(), condition }))
  }
  return (
    <FormDialog
      title={rulesText.add}
      action={rulesText.create}
      isReady={name.trim() !== '' && URL.canParse(url.trim()) && isNumber}
      save={save}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <Field
            label={rulesText.name}
            placeholder="Too many errors"
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <div class={css.pair}>
            <Select
              label={rulesText.metric}
              options={metrics.map((id) => ({ id, label: rulesText.metrics[id] }))}
              value={metric}
              onChange={setMetric}
            />
            <Select
              label={rulesText.comparison}
              options={(['above', 'below'] as const).map((id) => ({ id, label: rulesText.comparisons[id] }))}
              value={comparison}
              onChange={setComparison}
            />
            <Field
              label={rulesText.threshold}
              value={threshold}
              error={isNumber ? undefined : rulesText.wrongNumber}
              onInput={(event) => setThreshold(event.currentTarget.value)}
            />
            <Select label={rulesText.window} options={windows} value={window} onChange={setWindow} />
          </div>
          <p class={css.hint}>{rulesText.thresholdHint}</p>
          <Field
            label={rulesText.url}
            placeholder="https://example.com/hook"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  )
}

interface NewAlertDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  /** @param secret what requests are signed with */
  readonly onMade: (secret: string | null) => void
}

/** A condition in words: `Error rate above 5% in 5 min`. */
function conditionWords(condition: RuleCondition | null): string {
  if (condition === null) return rulesText.everyCall
  const { metric, comparison, threshold, window_seconds } = condition
  return rulesText.condition(
    rulesText.metrics[metric],
    rulesText.comparisons[comparison],
    figure(metric, threshold),
    isKeyOf(rulesText.windows, window_seconds)
      ? rulesText.windows[window_seconds]
      : formatDuration(window_seconds * 1_000),
  )
}

function figure(metric: RuleCondition['metric'], value: number): string {
  if (metric === 'error_rate') return formatShare(value)
  if (metric.endsWith('_ms')) return formatDuration(value)
  return metric === 'total_cost' ? formatCost(value) : formatNumber(value)
}

/** The state of a rule; an alert that fires is what matters most. */
const ruleState = ({ status }: Rule): keyof typeof rulesText.states =>
  status.alert === 'firing' && status.state === 'active' ? 'firing' : status.state

const askAgainMs = 15_000

/** Rules of a project: what the server does with calls as they arrive. */
export default function Rules() {
  const { projectId } = usePlace()
  const query = rulesQuery(projectId)
  const { data, error, refetch } = useQuery({
    ...query,
    enabled: projectId !== undefined,
    refetchInterval: askAgainMs,
  })
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<Rule>()
  const readAgain = () => queries.invalidateQueries({ queryKey: query.queryKey })
  if (projectId === undefined) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={rulesText.noProject}
        action={<Button onClick={() => navigate(homePath)}>{shellText.allProjects}</Button>}
      >
        {rulesText.noProjectReason}
      </EmptyState>
    )
  }
  const run = (done: Promise<unknown>, said?: string) => () =>
    void done
      .then(() => said !== undefined && showToast({ kind: 'done', text: said }))
      .then(readAgain)
      .catch(showError)
  return (
    <Section
      title={settingsText.sections.rules}
      lead={rulesText.lead(projectId)}
      action={
        canWrite.value && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {rulesText.add}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 2fr 1fr 80px" rows={3} height={40} />
      ) : data.length === 0 ? (
        <EmptyState icon={BellRing} title={rulesText.none}>
          {rulesText.noneReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.rules}
          columns={[
            { id: 'name', name: rulesText.name, isWide: true },
            { id: 'when', name: rulesText.when, isExtra: true },
            { id: 'action', name: rulesText.action, isExtra: true },
            { id: 'state', name: rulesText.state },
            { id: 'handled', name: rulesText.handled, isNumber: true, isExtra: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={data.map((rule) => ({
            id: rule.id,
            isOff: rule.is_paused,
            cells: {
              name: rule.name,
              when: conditionWords(rule.condition),
              action: rulesText.actions[rule.action.kind],
              state: <State rule={rule} />,
              handled: formatCount(rule.status.handled),
              menu: canWrite.value && (
                <MenuButton
                  label={accessText.actions(rule.name)}
                  side="end"
                  size="compact"
                  items={[
                    {
                      label: rule.is_paused ? rulesText.resume : rulesText.pause,
                      run: () => run(pauseRule(projectId, rule.id, !rule.is_paused))(),
                    },
                    ...(rule.action.kind === 'webhook'
                      ? [{ label: rulesText.test, run: () => run(testRule(projectId, rule.id), rulesText.tested)() }]
                      : []),
                    { label: rulesText.remove, danger: true, separator: true, run: () => setLeaving(rule) },
                  ]}
                />
              ),
            },
          }))}
        />
      )}
      {isAdding && (
        <NewAlertDialog
          projectId={projectId}
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setSecret(made)
            void readAgain()
          }}
        />
      )}
      <Dialog
        open={secret !== null}
        onClose={() => setSecret(null)}
        title={rulesText.copySecret}
        foot={<Button onClick={() => setSecret(null)}>{rulesText.done}</Button>}
      >
        <p>{rulesText.copySecretHint}</p>
        <p class={css.made}>
          <code>{secret}</code> <CopyButton text={secret ?? ''} />
        </p>
      </Dialog>
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={rulesText.removeTitle(leaving?.name ?? '')}
        verb={rulesText.remove}
        run={async () => {
          if (leaving) await deleteRule(projectId, leaving.id)
          await readAgain()
        }}
      >
        <p>{rulesText.removeText}</p>
      </ConfirmDialog>
    </Section>
  )
}

function State({ rule }: { rule: Rule }) {
  const state = ruleState(rule)
  const tone = state === 'failing' || state === 'firing' ? 'error' : state === 'active' ? 'ok' : 'neutral'
  return (
    <span data-tip={rule.status.error ?? undefined}>
      <Badge tone={tone}>{rulesText.states[state]}</Badge>
    </span>
  )
}
