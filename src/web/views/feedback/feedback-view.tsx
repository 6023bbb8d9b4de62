import { signal } from '@preact/signals'
import { ThumbsUp } from 'lucide'
import { useMemo } from 'preact/hooks'
import type { Span } from '../../chart/span.ts'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { distributionsQuery, subjectsOf } from '../../feedback/distributions.ts'
import { SubjectCard } from '../../feedback/subject-card.tsx'
import type { FilterNode } from '../../filter/expression.ts'
import { formatFilter } from '../../filter/format-filter.ts'
import { fixedRange, readTimeRange, spanOf, type TimeRange, writeTimeRange } from '../../filter/time-range.ts'
import { TimeRangePicker } from '../../filter/time-range-picker.tsx'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { settingsPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { type Param, writeSearch } from '../../state/search-text.ts'
import { useSearchToShare } from '../../state/shared-address.ts'
import { urlState } from '../../state/url-state.ts'
import { timeAnchor } from '../../table/time-anchor.ts'
import { tracesUrl } from '../../table/traces-url.ts'
import { useHistogram } from '../../table/use-histogram.ts'
import { feedbackText } from '../../text/feedback.ts'
import css from './feedback-view.module.css'

const timeRange: Param<TimeRange> = { initial: { kind: 'all' }, read: readTimeRange, write: writeTimeRange }
const feedbackUrl = { t: timeRange }

/** How the values of scores, reactions, notes and annotations are distributed, and their trends. */
export default function FeedbackView() {
  const projectId = useProject()
  const url = useMemo(() => urlState(feedbackUrl), [])
  const { t } = url.values.value
  const hovered = useMemo(() => signal<number | undefined>(undefined), [])
  const { histogram: whole, isSettled } = useHistogram(
    { projectId, rootsOnly: false, filter: undefined },
    undefined,
    true,
  )
  const chosen = spanOf(t, timeAnchor(projectId))
  const span = chosen ?? whole?.span
  const { data, error, refetch } = useQuery(distributionsQuery(projectId, span))
  useSearchToShare(() => url.searchWith({ t: fixedRange(t, timeAnchor(projectId)) }))

  const hrefOf = (filter: FilterNode | undefined, part?: Span): string => {
    const range: TimeRange = part ? { kind: 'between', ...part } : fixedRange(t, timeAnchor(projectId))
    return viewPath(projectId, 'calls', writeSearch(tracesUrl, '', { f: formatFilter(filter), t: range }))
  }
  const subjects = useMemo(() => subjectsOf(data?.groups ?? []), [data])
  const isEmpty = (isSettled && span === undefined) || (data !== undefined && subjects.length === 0)
  return (
    <Page
      name={feedbackText.title}
      title={feedbackText.title}
      class={css.page}
      actions={
        <>
          <span class={css.hint}>{feedbackText.hint}</span>
          <TimeRangePicker range={t} span={chosen} onChange={(range) => url.commit({ t: range })} />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : isEmpty ? (
        <EmptyState
          icon={ThumbsUp}
          title={t.kind === 'all' ? feedbackText.none : feedbackText.noneThen}
          action={<a href={settingsPath('rules')}>{feedbackText.makeRule}</a>}
        >
          {feedbackText.noneReason} {t.kind !== 'all' && feedbackText.noneThenReason}
        </EmptyState>
      ) : data === undefined || span === undefined ? (
        <LoadingRows columns="1fr 1fr 1fr" rows={6} height={60} />
      ) : (
        <>
          <p class={css.window}>
            {feedbackText.window} {data.is_cut && feedbackText.cut}
          </p>
          <div class={css.cards}>
            {subjects.map((subject) => (
              <SubjectCard
                key={subject.id}
                projectId={projectId}
                subject={subject}
                span={span}
                stepMs={data.granularity * 1_000}
                hovered={hovered}
                hrefOf={hrefOf}
                onOpen={(filter, part) => navigate(hrefOf(filter, part))}
              />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}
