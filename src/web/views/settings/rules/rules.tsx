import { Gauge, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { type CallRule, rulesQuery } from '../../../api/rules.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatCount } from '../../../format/number.ts'
import { navigate } from '../../../state/location.ts'
import { settingsPath } from '../../../state/paths.ts'
import { queries, useQuery } from '../../../state/query-signal.ts'
import { text } from '../../../state/search-text.ts'
import { canWrite } from '../../../state/session.ts'
import { showToast } from '../../../state/toasts.ts'
import { urlState } from '../../../state/url-state.ts'
import { usePlace } from '../../../state/use-place.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import { NoProject } from '../no-project.tsx'
import css from '../settings.module.css'
import { RuleDialog } from './rule-dialog.tsx'
import { RulePage } from './rule-page.tsx'
import { RuleState } from './rule-state.tsx'
import { actionWords, callsWords, costWords } from './rule-words.ts'

const url = urlState({ rule: text() })
const askAgainMs = 10_000

const addressOf = (id: string): string => `${settingsPath('rules')}${url.searchWith({ rule: id })}`

/** Rules of a project that work on calls; one of them if the address names it. */
export default function Rules() {
  const { projectId } = usePlace()
  const { rule: named } = url.values.value
  const query = rulesQuery(projectId)
  const { data, error, refetch } = useQuery({
    ...query,
    enabled: projectId !== undefined,
    refetchInterval: askAgainMs,
  })
  const [isAdding, setAdding] = useState(false)
  if (projectId === undefined) {
    return <NoProject words={rulesText} />
  }
  if (named !== '' && data !== undefined) {
    const rule = data.find(({ id }) => id === named)
    return rule ? <RulePage key={named} projectId={projectId} rule={rule} /> : <Missing />
  }
  return (
    <Section
      title={settingsText.sections.rules}
      lead={rulesText.lead(projectId)}
      action={
        canWrite.value && (
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
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
        <EmptyState icon={Gauge} title={rulesText.none}>
          {rulesText.noneReason}
        </EmptyState>
      ) : (
        <RuleTable rules={data} />
      )}
      {isAdding && (
        <RuleDialog
          projectId={projectId}
          onClose={() => setAdding(false)}
          onSaved={async ({ id, name }) => {
            await queries.invalidateQueries({ queryKey: query.queryKey })
            showToast({ kind: 'done', text: rulesText.madeOff(name) })
            navigate(addressOf(id))
          }}
        />
      )}
    </Section>
  )
}

const RuleTable = ({ rules }: { readonly rules: readonly CallRule[] }) => (
  <Table
    label={settingsText.sections.rules}
    columns={[
      { id: 'name', name: rulesText.name, isWide: true },
      { id: 'calls', name: rulesText.calls, isExtra: true },
      { id: 'state', name: rulesText.state },
      { id: 'cost', name: rulesText.cost, isNumber: true, isExtra: true },
      { id: 'handled', name: rulesText.handled, isNumber: true, isExtra: true },
    ]}
    rows={rules.map((rule) => ({
      id: rule.id,
      isOff: rule.is_paused,
      cells: {
        name: (
          <>
            <a href={addressOf(rule.id)}>
              <b class={css.strong}>{rule.name}</b>
            </a>
            <span class={css.hint}>{actionWords(rule)}</span>
          </>
        ),
        calls: callsWords(rule),
        state: <RuleState rule={rule} />,
        cost: costWords(rule),
        handled: formatCount(rule.status.handled),
      },
    }))}
  />
)

const Missing = () => (
  <EmptyState
    icon={Gauge}
    title={rulesText.missing}
    action={<Button onClick={() => navigate(settingsPath('rules'))}>{rulesText.all}</Button>}
  >
    {rulesText.missingReason}
  </EmptyState>
)
