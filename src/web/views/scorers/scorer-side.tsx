import { FlaskConical } from 'lucide'
import type { CallRule } from '../../api/rules.ts'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { modelOf, runsQuery, scoreName, valueText } from '../../evaluation/runs.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { rulesWith, runsWith } from '../../scorer/scorers.ts'
import { runPath, settingsPath, viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { scorerText } from '../../text/evaluation/scorer.ts'
import type { ObjectVersion, VersionUse } from '../../versions/objects.ts'
import { VersionList } from '../../versions/version-list.tsx'
import layout from '../../versions/version-page.module.css'
import css from './scorer-page.module.css'

const runsShown = 8

interface ScorerSideProps {
  readonly projectId: string
  readonly name: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion | undefined
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  /** Undefined until they are read. */
  readonly rules: readonly CallRule[] | undefined
  readonly isAlone: boolean
  readonly hrefOf: (version: ObjectVersion) => string
  readonly menuOf: (version: ObjectVersion) => readonly MenuItem[]
}

/** Versions of a scorer, and the runs and rules that use it. */
export function ScorerSide(props: ScorerSideProps) {
  const { projectId, name, versions, current, uses, rules, isAlone, hrefOf, menuOf } = props
  return (
    <aside class={isAlone ? layout.alone : classNames(layout.side, css.side)} id={isAlone ? 'scorer-panel' : undefined}>
      <h2 class={layout.head}>
        {scorerText.versions} <span class={layout.count}>{versions.length}</span>
      </h2>
      <nav aria-label={scorerText.versions}>
        <VersionList {...{ projectId, versions, current, uses, hrefOf, menuOf }} />
      </nav>
      <h2 class={layout.head}>{scorerText.usedBy}</h2>
      <Uses projectId={projectId} name={name} rules={rules} />
    </aside>
  )
}

function Uses({ projectId, name, rules }: Pick<ScorerSideProps, 'projectId' | 'name' | 'rules'>) {
  const { data, error, refetch } = useQuery(runsQuery(projectId))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined || rules === undefined)
    return <LoadingRows columns="16px 1fr 60px 40px" rows={5} height={28} />
  const using = rulesWith(rules, name)
  const runs = runsWith(data.runs, name)
  if (runs.length === 0 && using.length === 0) return <p class={css.none}>{scorerText.usedByNone}</p>
  return (
    <ul aria-label={scorerText.usedBy}>
      {using.map((rule) => (
        <li key={rule.id}>
          <a class={css.use} href={`${settingsPath('rules')}?${new URLSearchParams({ rule: rule.id })}`}>
            <StatusIcon status={rule.is_paused ? 'cancelled' : 'success'} hidden />
            <span class="cut" dir="auto">
              {rule.name}
            </span>
            <span class={css.quiet}>{rule.is_paused ? scorerText.ruleOff : scorerText.ruleOn}</span>
          </a>
        </li>
      ))}
      {runs.slice(0, runsShown).map(({ run, version }) => {
        const score = run.scores.find((each) => each.score === name || each.score.startsWith(`${name}.`))
        return (
          <li key={run.evaluation_call_id}>
            <a class={css.use} href={runPath(projectId, run.evaluation_call_id)}>
              <Icon of={FlaskConical} size={14} />
              <span class={css.run}>
                <span class="cut" dir="auto">
                  {modelOf(run)}
                </span>
                <small class={classNames('cut', css.quiet)} dir="auto">
                  {[run.evaluation.name, ...(version === null ? [] : [`v${version}`])].join(' · ')}
                </small>
              </span>
              <span class={css.value}>
                {score && (
                  <>
                    <small class={css.quiet}>{scoreName(score.score).slice(name.length + 1)}</small>{' '}
                    {valueText(score.kind, score.value)}
                  </>
                )}
              </span>
              <span class={css.when} data-tip={formatFullTime(run.started_at)}>
                {formatAgo(run.started_at)}
              </span>
            </a>
          </li>
        )
      })}
      {runs.length > runsShown && (
        <li>
          <a class={css.all} href={viewPath(projectId, 'evaluations')}>
            {scorerText.allRuns(runs.length)}
          </a>
        </li>
      )}
    </ul>
  )
}
