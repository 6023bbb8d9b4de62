import { Download, Gauge } from 'lucide'
import { useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Button } from '../../components/controls/button.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { modelOf, promptOf } from '../../evaluation/runs.ts'
import {
  checkQuery,
  checkUrl,
  choicesQuery,
  chosen,
  type JudgeCheck,
  type JudgeCheckFigures,
  namedRunsQuery,
  shownChoices,
  sidesOf,
} from '../../judge-check/check-data.ts'
import { exportTrials } from '../../judge-check/export.ts'
import { CheckFigures } from '../../judge-check/figures.tsx'
import { Matrix } from '../../judge-check/matrix.tsx'
import { SideFields } from '../../judge-check/side-fields.tsx'
import { Trials } from '../../judge-check/trials.tsx'
import { Page } from '../../page/page.tsx'
import { evaluationsPath } from '../../state/judging-paths.ts'
import { runPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useInfiniteQuery, useQuery } from '../../state/query-signal.ts'
import { showError } from '../../state/toasts.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { judgeCheckText as words } from '../../text/evaluation/judge-check.ts'
import css from './judge-check-view.module.css'

/** A judge beside people: confusion matrix, agreement, kappa, and where they disagree. */
export default function JudgeCheckView() {
  const projectId = useProject()
  const { runs } = checkUrl.values.value
  const { data, error, refetch } = useQuery(choicesQuery(projectId, runs))
  const named = useQuery(namedRunsQuery(projectId, runs)).data?.runs
  const [only] = runs
  const back =
    only !== undefined && runs.length === 1
      ? { href: runPath(projectId, only), label: words.toRun }
      : { href: evaluationsPath(projectId), label: words.toRuns }
  const toRuns = <a href={evaluationsPath(projectId)}>{words.toRuns}</a>
  if (data !== undefined && runs.length > 0) {
    const names = (named ?? []).map((run) => `${modelOf(run)} ${promptOf(run)}`.trim())
    return <Check projectId={projectId} choices={data.choices} names={names} back={back} />
  }
  return (
    <Page name={words.title} title={words.title} back={back}>
      {runs.length === 0 ? (
        <EmptyState icon={Gauge} title={words.noRun} action={toRuns}>
          {words.noRunReason}
        </EmptyState>
      ) : error instanceof Problem && error.status === 404 ? (
        <EmptyState icon={Gauge} title={words.missing} action={toRuns}>
          {words.missingReason}
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows columns="1fr 150px 90px" rows={10} height={64} what={words.reading} />
      )}
    </Page>
  )
}

interface CheckProps {
  readonly projectId: string
  readonly choices: JudgeCheck['choices']
  readonly names: readonly string[]
  readonly back: { readonly href: string; readonly label: string }
}

function Check({ projectId, choices, names, back }: CheckProps) {
  const isPhone = useIsPhone()
  const address = checkUrl.values.value
  const { runs, show, cell, judge_as, human_as } = address
  const ids = chosen(address, choices)
  const sides = sidesOf(ids, address)
  const asked = sides && { ...sides, runs, show, cell }
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    checkQuery(projectId, asked),
  )
  const pages =
    asked === undefined ? [] : ((data as { readonly pages: readonly JudgeCheck[] } | undefined)?.pages ?? [])
  const check = pages[0]?.check ?? undefined
  const trials = pages.flatMap((page) => page.trials.items)
  const total = pages[0]?.trials.total ?? 0
  const isCell = cell.length === 2
  const [exporting, setExporting] = useState<string>()
  const exportCsv = async () => {
    if (asked === undefined) return
    setExporting(words.exporting(0, total))
    try {
      await exportTrials(projectId, asked, (done, all) => setExporting(words.exporting(done, all)))
    } catch (cause) {
      showError(cause)
    } finally {
      setExporting(undefined)
    }
  }
  return (
    <Page
      name={words.title}
      title={
        <>
          {words.title}
          {!isPhone && <small class={css.runs}>{words.runs(names)}</small>}
        </>
      }
      back={back}
      class={css.body}
      actions={
        <Button icon={Download} busy={exporting !== undefined} disabled={total === 0} onClick={() => void exportCsv()}>
          {exporting ?? words.exportCsv}
        </Button>
      }
      foot={{ facts: check && <span>{words.facts(trials.length, total)}</span> }}
    >
      <div class={css.sides}>
        <SideFields
          title={words.judge}
          choices={choices}
          id={ids.judge}
          as={judge_as}
          used={check?.judge}
          onChoose={(judge) => checkUrl.commit({ judge, judge_as: '', cell: [] })}
          onRead={(as) => checkUrl.replace({ judge_as: as, cell: [] })}
        />
        <SideFields
          title={words.human}
          choices={choices}
          id={ids.human}
          as={human_as}
          used={check?.human}
          onChoose={(human) => checkUrl.commit({ human, human_as: '', cell: [] })}
          onRead={(as) => checkUrl.replace({ human_as: as, cell: [] })}
        />
      </div>
      {ids.human === '' ? (
        <EmptyState icon={Gauge} title={words.noHuman} action={<a href={back.href}>{words.openRows}</a>}>
          {words.noHumanReason}
        </EmptyState>
      ) : ids.judge === '' ? (
        <EmptyState icon={Gauge} title={words.noJudge} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : check === undefined ? (
        asked !== undefined && <LoadingRows columns="1fr 150px 90px" rows={10} height={64} what={words.reading} />
      ) : (
        <>
          {ids.judge === ids.human && <Banner>{words.sameLabels}</Banner>}
          {check.problem !== null && <Banner>{check.problem}</Banner>}
          {check.row_count < check.pair_count && <Banner tone="info">{words.severalTrials}</Banner>}
          <div class={css.columns}>
            <section class={css.found} aria-label={words.matrix}>
              <CheckFigures check={check} />
              {check.classes.length > 0 && (
                <Matrix check={check} cell={cell} onCell={(next) => checkUrl.commit({ cell: next })} />
              )}
              {check.relabelled_count > 0 && <p class={css.note}>{words.relabelled(check.relabelled_count)}</p>}
            </section>
            <section class={css.list} aria-label={words.list}>
              <div class={css.tools}>
                <Segments
                  label={words.list}
                  current={isCell ? '' : show}
                  onSelect={(next) => next !== '' && checkUrl.commit({ show: next, cell: [] })}
                  options={shownChoices.map((id) => ({ id, label: `${words.show[id]} ${counts(check)[id]}` }))}
                />
                {isCell && (
                  <>
                    <b dir="auto">{words.cell(cell[0] ?? '', cell[1] ?? '', total)}</b>
                    <Button size="compact" onClick={() => checkUrl.commit({ cell: [] })}>
                      {words.clearCell}
                    </Button>
                  </>
                )}
              </div>
              {trials.length === 0 ? (
                <p class={css.none}>{isCell ? words.nothingInCell : words.nothing[show]}</p>
              ) : (
                <Trials
                  projectId={projectId}
                  trials={trials}
                  total={total}
                  isReading={isFetchingNextPage}
                  onMore={() => void (hasNextPage && fetchNextPage())}
                />
              )}
            </section>
          </div>
        </>
      )}
    </Page>
  )
}

/** How many trials each list has. */
const counts = (check: JudgeCheckFigures): Readonly<Record<(typeof shownChoices)[number], number>> => ({
  disagreements: check.disagreement_count,
  pairs: check.pair_count,
  only_judge: check.only_judge_count,
  only_human: check.only_human_count,
  unlabelled: check.unlabelled_count,
})
