import { History, KeyRound, Link, Play } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { Menu } from '../../components/overlays/menu.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { formatWhen } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { Editor } from '../../sql/editor.tsx'
import { forgetStatements, pastStatements } from '../../sql/history.ts'
import { ResultBar, type Shape, staleWords } from '../../sql/result-bar.tsx'
import { ResultChart } from '../../sql/result-chart.tsx'
import { ResultTable } from '../../sql/result-table.tsx'
import { readSchema } from '../../sql/run-statement.ts'
import { SchemaTree } from '../../sql/schema-tree.tsx'
import { useStatementTabs } from '../../sql/statement-tabs.ts'
import { hasTimes } from '../../sql/time-parameters.ts'
import { useRuns } from '../../sql/use-runs.ts'
import { useKeys } from '../../state/keys.ts'
import { useQuery } from '../../state/query-signal.ts'
import { isOperator, session } from '../../state/session.ts'
import { linkToShare } from '../../state/shared-address.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { shellText } from '../../text/shell.ts'
import { sqlText } from '../../text/sql.ts'
import { AddResult } from './add-result.tsx'
import { FailureBar } from './failure-bar.tsx'
import { RunButton } from './run-button.tsx'
import { SqlTabs } from './sql-tabs.tsx'
import css from './sql-view.module.css'

/** The SQL console; for admins of all projects. */
export default function SqlView() {
  if (isOperator.value) return <Console />
  return (
    <Page name={shellText.sql} title={shellText.sql}>
      <EmptyState icon={KeyRound} title={sqlText.refusedTitle}>
        {sqlText.refusedReason}
      </EmptyState>
    </Page>
  )
}

/** The limits of the server, until they are read. */
const [secondsMax, memoryBytesMax] = [10, 256e6]

function Console() {
  const tabs = useStatementTabs()
  const { current, type: setStatement } = tabs
  const { statement } = current
  const [shape, setShape] = useState<Shape>('table')
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const historyButton = useRef<HTMLButtonElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const find = useRef<HTMLInputElement>(null)
  const isPhone = useIsPhone()
  const schema = useQuery({ queryKey: ['sql schema'], queryFn: ({ signal }) => readSchema(signal), staleTime: 300_000 })
  const { outcomeOf, since, run, stop } = useRuns()
  const { result, failure } = outcomeOf(current.id)
  const place = failure?.statement === statement ? failure.place : undefined

  const isEmpty = statement.trim() === ''
  const runNow = () => run(current.id, statement)
  const copyLink = () =>
    navigator.clipboard
      .writeText(linkToShare())
      .then(() => showToast({ kind: 'done', text: sqlText.copied }))
      .catch(showError)
  const goToError = (): void => {
    if (place === undefined) return
    const at = offsetOf(statement, place)
    area.current?.focus()
    area.current?.setSelectionRange(at, at + (/^[\w.]*/.exec(statement.slice(at))?.[0].length ?? 0))
  }
  const fix = (): void => {
    if (place === undefined || failure?.suggestion === undefined) return
    const at = offsetOf(statement, place)
    const word = /^[\w.]*/.exec(statement.slice(at))?.[0] ?? ''
    const kept = word.includes('.') ? word.slice(0, word.lastIndexOf('.') + 1) : ''
    setStatement(statement.slice(0, at) + kept + failure.suggestion + statement.slice(at + word.length))
    area.current?.focus()
  }
  const insert = (name: string): void => {
    const { selectionStart: from, selectionEnd: to } = area.current ?? { selectionStart: 0, selectionEnd: 0 }
    setStatement(statement.slice(0, from) + name + statement.slice(to))
    area.current?.focus()
    requestAnimationFrame(() => area.current?.setSelectionRange(from + name.length, from + name.length))
  }
  const leave = (event: KeyboardEvent): void => {
    if (since !== undefined) stop()
    else if (event.target === area.current) area.current?.blur()
  }
  useKeys([
    { keys: '$mod+Enter', does: sqlText.keys.run, everywhere: true, run: runNow },
    { keys: '$mod+.', does: sqlText.keys.fix, everywhere: true, run: fix },
    { keys: 'F8', does: sqlText.keys.next, everywhere: true, run: goToError },
    { keys: 'Escape', does: sqlText.keys.stop, everywhere: true, run: leave },
    { keys: 'h', does: sqlText.keys.history, run: () => setHistoryOpen(true) },
    { keys: '/', does: sqlText.find, run: () => find.current?.focus() },
  ])
  const past = pastStatements()
  const historyItems = [
    ...past.map((each) => ({
      label: firstLine(each.statement),
      hint: formatWhen(each.at),
      run: () => setStatement(each.statement),
    })),
    past.length === 0
      ? { label: sqlText.noHistory, disabled: true }
      : { label: sqlText.clearHistory, separator: true, run: forgetStatements },
  ]
  const isChanged = (id: string, now: string): boolean => {
    const ran = outcomeOf(id).result
    return ran !== undefined && ran.statement !== now
  }
  const shown = isPhone && shape === 'both' ? 'table' : shape
  return (
    <Page
      name={shellText.sql}
      title={shellText.sql}
      tabs={isPhone ? undefined : <SqlTabs tabs={tabs} isChanged={isChanged} />}
      class={css.body}
      actions={
        <>
          {!isPhone && <span class={css.note}>{sqlText.note(session.value?.user_name ?? '')}</span>}
          <Button
            icon={History}
            hint={isPhone ? undefined : 'H'}
            buttonRef={historyButton}
            aria-haspopup="menu"
            aria-expanded={isHistoryOpen}
            onClick={() => setHistoryOpen(!isHistoryOpen)}
          >
            {sqlText.history}
          </Button>
          {!isPhone && (
            <Button icon={Link} onClick={copyLink}>
              {sqlText.copyLink}
            </Button>
          )}
          <RunButton since={since} run={runNow} stop={stop} isEmpty={isEmpty} />
          <Menu
            open={isHistoryOpen}
            onClose={() => setHistoryOpen(false)}
            anchor={historyButton}
            items={historyItems}
            label={sqlText.history}
            side="end"
          />
        </>
      }
      foot={{
        facts: (
          <>
            <span>{sqlText.ends}</span>
            <span>{sqlText.shown}</span>
          </>
        ),
        keys: [
          ['⌘↵', sqlText.keys.run],
          ['⌃Space', sqlText.keys.complete],
          ['⌘.', sqlText.keys.fix],
          ['F8', sqlText.keys.next],
          ['esc', sqlText.keys.stop],
        ],
      }}
    >
      {isPhone && (
        <div class={css.phoneTabs}>
          <SqlTabs tabs={tabs} isChanged={isChanged} />
        </div>
      )}
      <SchemaTree
        tables={schema.data?.tables}
        error={schema.error ?? undefined}
        retry={() => void schema.refetch()}
        fieldRef={find}
        onInsert={insert}
      />
      <div class={css.main}>
        <Editor
          statement={statement}
          tables={schema.data?.tables ?? []}
          error={place}
          areaRef={area}
          onType={setStatement}
          onRun={runNow}
        />
        {hasTimes(statement) && <p class={css.times}>{sqlText.times}</p>}
        {failure && <FailureBar failure={failure} isHere={place !== undefined} fix={fix} goTo={goToError} />}
        {result === undefined ? (
          <div class={css.before}>
            <EmptyState icon={Play} title={sqlText.before}>
              {isEmpty ? sqlText.beforeReason : sqlText.beforeRun}
            </EmptyState>
            {isEmpty && (
              <div class={css.examples}>
                {sqlText.examples.map((example) => (
                  <Button key={example.name} onClick={() => setStatement(example.statement)}>
                    {example.name}
                  </Button>
                ))}
              </div>
            )}
          </div>
        ) : (
          <>
            <ResultBar
              result={result}
              stale={staleWords(result, statement, failure !== undefined)}
              shape={shown}
              secondsMax={Math.round((schema.data?.limits.timeout_ms ?? secondsMax * 1000) / 1000)}
              memoryBytesMax={schema.data?.limits.memory_bytes ?? memoryBytesMax}
              onShape={setShape}
              more={<AddResult statement={result.statement} shape={shown} />}
            />
            <div class={css.result} data-shape={shown} aria-busy={since !== undefined}>
              {result.rows.length === 0 ? (
                <EmptyState icon={Play} title={sqlText.noRows}>
                  {sqlText.noRowsReason}
                </EmptyState>
              ) : (
                <>
                  {shown !== 'chart' && <ResultTable result={result} />}
                  {shown !== 'table' && <ResultChart key={result.at} result={result} />}
                </>
              )}
            </div>
          </>
        )}
      </div>
    </Page>
  )
}

const firstLine = (statement: string): string => statement.trim().replace(/\s+/g, ' ').slice(0, 80)

function offsetOf(statement: string, { line, column }: { line: number; column: number }): number {
  const before = statement.split('\n').slice(0, line - 1)
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
}
