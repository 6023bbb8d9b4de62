import { ArrowLeft } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type CallRule, changeRule, deleteRule, rulesQuery } from '../../../api/rules.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Section } from '../../../components/display/section.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatAgo } from '../../../format/time.ts'
import { navigate } from '../../../state/location.ts'
import { queuePath, settingsPath } from '../../../state/paths.ts'
import { queries } from '../../../state/query-signal.ts'
import { canWrite } from '../../../state/session.ts'
import { showError, showToast } from '../../../state/toasts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import css from '../settings.module.css'
import { Backfills } from './backfills.tsx'
import { DryRun } from './dry-run.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { RuleState } from './rule-state.tsx'
import { actionWords, callsWords, costWords } from './rule-words.ts'

/** One rule: how it is doing, what it would do, and what may be done with it. */
export function RulePage({ projectId, rule }: { readonly projectId: string; readonly rule: CallRule }) {
  const [isChanging, setChanging] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const { id, name, action, is_paused } = rule
  const readAgain = () => queries.invalidateQueries({ queryKey: rulesQuery(projectId).queryKey })
  const turn = async (): Promise<void> => {
    setBusy(true)
    await changeRule(projectId, id, { is_paused: !is_paused }).then(readAgain).catch(showError)
    setBusy(false)
  }
  return (
    <>
      <a class={css.back} href={settingsPath('rules')}>
        <Icon of={ArrowLeft} size={14} /> {rulesText.all}
      </a>
      <Section
        title={name}
        lead={callsWords(rule)}
        action={
          canWrite.value && (
            <span class={css.actions}>
              <Button kind={is_paused ? 'primary' : 'default'} busy={isBusy} onClick={turn}>
                {is_paused ? rulesText.on : rulesText.off}
              </Button>
              <MenuButton
                label={accessText.actions(name)}
                side="end"
                items={[
                  { label: rulesText.change, run: () => setChanging(true) },
                  { label: rulesText.remove, danger: true, separator: true, run: () => setLeaving(true) },
                ]}
              />
            </span>
          )
        }
      >
        <Facts facts={factsOf(projectId, rule)} />
      </Section>
      {action.kind === 'score' && (
        <>
          {canWrite.value && <DryRun projectId={projectId} ruleId={id} />}
          <Backfills projectId={projectId} ruleId={id} />
        </>
      )}
      {isChanging && (
        <RuleDialog projectId={projectId} before={rule} onClose={() => setChanging(false)} onSaved={readAgain} />
      )}
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={rulesText.removeTitle(name)}
        verb={rulesText.remove}
        run={async () => {
          await deleteRule(projectId, id)
          navigate(settingsPath('rules'))
          showToast({ kind: 'done', text: rulesText.removed(name) })
          await readAgain()
        }}
      >
        <p>{rulesText.removeText}</p>
      </ConfirmDialog>
    </>
  )
}

function factsOf(projectId: string, rule: CallRule): [string, ComponentChildren][] {
  const { action, status } = rule
  const { error, error_at, handled, handled_at, passed } = status
  const ago = (time: string | null) => (time === null ? '' : `, ${formatAgo(time)}`)
  const facts: [string, ComponentChildren, boolean][] = [
    [rulesText.state, <RuleState key="state" rule={rule} />, true],
    [rulesText.problem, `${error}${ago(error_at)}`, error !== null],
    [
      rulesText.what,
      action.kind === 'add_to_queue' ? (
        <a href={queuePath(projectId, action.queue_id)}>{actionWords(rule)}</a>
      ) : (
        actionWords(rule)
      ),
      true,
    ],
    [rulesText.handled, `${formatCount(handled)}${ago(handled_at)}`, true],
    [rulesText.cost, costWords(rule), action.kind === 'score'],
    [rulesText.passed, rulesText.passedHint(passed), passed > 0],
  ]
  return facts.flatMap(([label, value, isShown]) => (isShown ? [[label, value] as [string, ComponentChildren]] : []))
}
