import { useEffect, useRef, useState } from 'preact/hooks'
import { type DryRunLine, dryRun } from '../../../api/rules.ts'
import { Button } from '../../../components/controls/button.tsx'
import { ScoreMark } from '../../../components/display/score-mark.tsx'
import { Section } from '../../../components/display/section.tsx'
import { Table } from '../../../components/display/table.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { opName } from '../../../format/ids.ts'
import { formatCost } from '../../../format/number.ts'
import { formatAgo } from '../../../format/time.ts'
import { settingsPath, tracePath } from '../../../state/paths.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import settings from '../settings.module.css'
import css from './rules.module.css'

const words = rulesText.dryRun

type Line<Kind extends DryRunLine['kind']> = Extract<DryRunLine, { kind: Kind }>

interface Tried {
  readonly start?: Line<'start'>
  readonly calls: readonly Line<'call'>[]
  readonly end?: Line<'end'>
  readonly isLeft?: boolean
}

const added = (tried: Tried, line: DryRunLine): Tried => {
  switch (line.kind) {
    case 'start':
      return { ...tried, start: line }
    case 'call':
      return { ...tried, calls: [...tried.calls, line] }
    case 'end':
      return { ...tried, end: line }
  }
}

/** Runs a rule on the newest matching calls without storing anything, and shows what it says. */
export function DryRun({ projectId, ruleId }: { readonly projectId: string; readonly ruleId: string }) {
  const [tried, setTried] = useState<Tried>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (): Promise<void> => {
    const abort = new AbortController()
    running.current = abort
    let reached: Tried = { calls: [] }
    setBusy(true)
    setError(undefined)
    setTried(reached)
    try {
      for await (const lines of dryRun(projectId, ruleId, abort.signal)) {
        reached = lines.reduce(added, reached)
        setTried(reached)
      }
    } catch (cause) {
      if (abort.signal.aborted) setTried({ ...reached, isLeft: true })
      else setError(cause)
    }
    setBusy(false)
  }
  return (
    <div class={css.part}>
      <Section
        title={words.title}
        lead={words.lead}
        action={
          isBusy ? (
            <Button onClick={() => running.current?.abort()}>{words.stop}</Button>
          ) : (
            <Button onClick={run}>{tried ? words.again : words.run}</Button>
          )
        }
      >
        {error !== undefined && <ErrorState error={error} retry={() => void run()} />}
        {tried && error === undefined && <Outcome projectId={projectId} tried={tried} />}
      </Section>
    </div>
  )
}

function Outcome({ projectId, tried }: { readonly projectId: string; readonly tried: Tried }) {
  const { start, calls } = tried
  if (start?.calls === 0) return <p>{words.none}</p>
  return (
    <>
      <div class={css.sums} role="status">
        <Sums {...tried} />
      </div>
      {calls.length > 0 && (
        <div class={css.scroll} tabIndex={0} role="region" aria-label={words.title}>
          <Table
            label={words.title}
            columns={[
              { id: 'call', name: words.call, isWide: true },
              { id: 'score', name: words.score },
              { id: 'cost', name: words.cost, isNumber: true, isExtra: true },
            ]}
            rows={calls.map((call) => ({
              id: call.call_id,
              cells: {
                call: (
                  <>
                    <a
                      href={tracePath(projectId, call.trace_id, call.call_id)}
                      aria-label={words.openCall(opName(call.op_name))}
                    >
                      {opName(call.op_name)}
                    </a>
                    <span class={settings.hint}>{formatAgo(call.started_at)}</span>
                  </>
                ),
                score: call.scores.map((score) => <ScoreCell key={score.scorer_ref} {...score} />),
                cost: formatCost(call.scores.reduce((sum, { cost }) => sum + cost, 0)),
              },
            }))}
          />
        </div>
      )}
    </>
  )
}

function Sums({ start, calls, end, isLeft }: Tried) {
  const cost = calls.flatMap(({ scores }) => scores).reduce((sum, score) => sum + score.cost, 0)
  if (end === undefined) {
    return (
      <p>{start && `${words.progress(calls.length, start.calls, formatCost(cost))} ${isLeft ? words.left : ''}`}</p>
    )
  }
  return (
    <>
      <p>
        {words.done(end.scored, formatCost(end.cost))} {end.failed > 0 && <b>{words.failed(end.failed)}.</b>}{' '}
        {end.stopped !== null && words.stopped}
      </p>
      {end.cost > 0 && end.cost_per_day !== null && start && (
        <p class={css.strong}>{words.perDay(formatCost(end.cost_per_day), start.calls_last_day)}</p>
      )}
      {end.cost === 0 && (
        <p>
          {words.free} <a href={settingsPath('prices')}>{words.prices}</a>
        </p>
      )}
    </>
  )
}

interface ScoreCellProps {
  readonly scorer: string
  readonly value: unknown
  readonly error: string | null
}

/** What a scorer says about a call: each of its values, or why it failed. */
const ScoreCell = ({ scorer, value, error }: ScoreCellProps) => (
  <div class={css.score}>
    <span class={css.dim}>{scorer}</span>
    {error === null ? (
      valuesIn(value).map(([name, each]) => (
        <span key={name} class={css.value}>
          {name !== '' && <span class={css.dim}>{name}</span>}
          <ScoreMark value={each} type={typeof each === 'boolean' ? 'verdict' : 'text'} />
        </span>
      ))
    ) : (
      <span class={css.failed}>{error}</span>
    )}
  </div>
)

/** The values of a score by name; one without names has an empty one. */
function valuesIn(value: unknown): [name: string, value: number | boolean | string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [['', shown(value)]]
  return Object.entries(value).map(([name, each]) => [name, shown(each)])
}

const shown = (value: unknown): number | boolean | string =>
  typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
