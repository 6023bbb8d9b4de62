import { useState } from 'preact/hooks'
import { type Backfill, backfillsQuery, cancelBackfill, startBackfill } from '../../../api/rules.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field } from '../../../components/controls/field.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { Badge } from '../../../components/display/badge.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatCost, formatCount } from '../../../format/number.ts'
import { formatAgo, formatDayMinute } from '../../../format/time.ts'
import { ProgressMeter } from '../../../review/progress-meter.tsx'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { canWrite } from '../../../state/session.ts'
import { showError } from '../../../state/toasts.ts'
import { partsText } from '../../../text/parts.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import settings from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { dollarsIn } from './dollars.ts'
import css from './rules.module.css'

const words = rulesText.backfill
const askAgainMs = 2_000
const dayMs = 86_400_000
const isUndone = ({ state }: Backfill): boolean => state === 'waiting' || state === 'running'
const tones = { waiting: 'accent', running: 'accent', completed: 'ok', failed: 'error', cancelled: 'outline' } as const
const ranges = (['1', '7', '30', '0'] as const).map((id) => ({ id, label: words.ranges[id] }))

interface OfRule {
  readonly projectId: string
  readonly ruleId: string
}

/** Scoring of stored calls by a rule: start, progress, end. */
export function Backfills({ projectId, ruleId }: OfRule) {
  const query = backfillsQuery(projectId, ruleId)
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state }: { state: { data?: readonly Backfill[] | undefined } }) =>
      state.data?.some(isUndone) ? askAgainMs : false,
  })
  const [isAdding, setAdding] = useState(false)
  const readAgain = () => queries.invalidateQueries({ queryKey: query.queryKey })
  return (
    <div class={css.part}>
      <Section
        title={words.title}
        lead={words.lead}
        action={
          canWrite.value && (
            <Button disabled={data?.some(isUndone) ?? true} onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      >
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <LoadingRows columns="2fr 2fr 1fr" rows={1} height={40} />
        ) : data.length === 0 ? (
          <p class={css.dim}>{words.none}</p>
        ) : (
          <BackfillTable
            backfills={data}
            onCancel={(id) => void cancelBackfill(projectId, ruleId, id).then(readAgain).catch(showError)}
          />
        )}
      </Section>
      {isAdding && (
        <BackfillDialog projectId={projectId} ruleId={ruleId} onClose={() => setAdding(false)} onStarted={readAgain} />
      )}
    </div>
  )
}

interface BackfillTableProps {
  readonly backfills: readonly Backfill[]
  readonly onCancel: (id: string) => void
}

const BackfillTable = ({ backfills, onCancel }: BackfillTableProps) => (
  <Table
    label={words.title}
    columns={[
      { id: 'when', name: words.when, isWide: true },
      { id: 'progress', name: words.progress },
      { id: 'scored', name: words.scored, isNumber: true, isExtra: true },
      { id: 'cost', name: words.cost, isNumber: true, isExtra: true },
      { id: 'state', name: words.state },
      { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
    ]}
    rows={backfills.map((backfill) => ({
      id: backfill.id,
      cells: {
        when: (
          <>
            {formatAgo(backfill.created_at)}
            <span class={settings.hint}>{words.from(formatDayMinute(backfill.start))}</span>
          </>
        ),
        progress: backfill.total !== null && <ProgressMeter done={backfill.done} all={backfill.total} />,
        scored: (
          <>
            {formatCount(backfill.scored)}
            {backfill.failed > 0 && <span class={settings.hint}>{words.failedScores(backfill.failed)}</span>}
          </>
        ),
        cost: formatCost(backfill.cost),
        state: (
          <>
            <Badge tone={backfill.stopped === null ? tones[backfill.state] : 'warn'}>
              {backfill.stopped === null ? words.states[backfill.state] : words.atLimit}
            </Badge>
            {backfill.error !== null && <span class={settings.hint}>{backfill.error}</span>}
          </>
        ),
        menu: canWrite.value && isUndone(backfill) && (
          <Button
            size="compact"
            aria-label={words.cancelOf(formatDayMinute(backfill.created_at))}
            onClick={() => onCancel(backfill.id)}
          >
            {words.cancel}
          </Button>
        ),
      },
    }))}
  />
)

interface BackfillDialogProps extends OfRule {
  readonly onClose: () => void
  readonly onStarted: () => unknown
}

function BackfillDialog({ projectId, ruleId, onClose, onStarted }: BackfillDialogProps) {
  const [days, setDays] = useState<keyof typeof words.ranges & string>('7' as never)
  const [limit, setLimit] = useState('')
  const costMax = dollarsIn(limit)
  const save = async (): Promise<void> => {
    const start = new Date(Number(days) === 0 ? 0 : Date.now() - Number(days) * dayMs).toISOString()
    await startBackfill(projectId, ruleId, { start, cost_max: costMax || null })
    onStarted()
  }
  return (
    <SettingsForm title={words.add} verb={words.start} isReady={costMax !== undefined} save={save} onClose={onClose}>
      {(problem) => (
        <>
          <Select label={words.range} options={ranges} value={days} onChange={(id) => setDays(id as never)} />
          <Field
            label={words.cap}
            hint={words.capHint}
            value={limit}
            error={problem ?? (costMax === undefined ? rulesText.capBad : undefined)}
            onInput={(event) => setLimit(event.currentTarget.value)}
          />
        </>
      )}
    </SettingsForm>
  )
}
