import { useMemo } from 'preact/hooks'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { formatCount } from '../format/number.ts'
import type { ReviewField } from '../review/fields.ts'
import { assignedNames, type ListedQueue } from '../review/queues.ts'
import { adjudicatePath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { useQuery } from '../state/query-signal.ts'
import { canWrite, isAdmin } from '../state/session.ts'
import { agreementText as words } from '../text/agreement.ts'
import { reviewFormText } from '../text/review-form.ts'
import { AgreementPanel } from './agreement-panel.tsx'
import { DisagreementList } from './disagreement-list.tsx'
import { disagreementsIn, judgementsQuery } from './judgements.ts'
import css from './overview-panel.module.css'
import { nameIn } from './people.ts'
import { goldQuery } from './requests.ts'
import { ReviewerTable } from './reviewer-table.tsx'

interface OverviewPanelProps {
  readonly projectId: string
  readonly queue: ListedQueue
  readonly fields: readonly ReviewField[]
}

/** How the review of a queue goes: progress, people, disagreements and agreement. */
export default function OverviewPanel({ projectId, queue, fields }: OverviewPanelProps) {
  const { data, error, refetch } = useQuery(judgementsQuery(projectId, queue.id))
  const gold = useQuery({ ...goldQuery(projectId, queue.id), enabled: isAdmin.value })
  const perItem = queue.review.reviewers_per_item
  const disagreements = useMemo(() => disagreementsIn(data ?? [], fields, perItem), [data, fields, perItem])
  const nameOf = nameIn(queue)
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <div class={css.page} tabIndex={0} role="region" aria-label={words.overview}>
      <Progress queue={queue} gold={gold.data?.items.length} />
      <div class={css.columns}>
        <div class={css.work}>
          <ReviewerTable progress={queue.progress} gold={gold.data} nameOf={nameOf} />
          {data === undefined ? (
            <LoadingRows columns="60px 2fr 1fr 1fr 1fr" rows={8} height={34} what={words.reading} />
          ) : (
            <DisagreementList
              projectId={projectId}
              queueId={queue.id}
              disagreements={disagreements}
              reviewersPerItem={perItem}
              onDecide={canWrite.value ? () => navigate(adjudicatePath(projectId, queue.id)) : undefined}
            />
          )}
        </div>
        <div class={css.side}>
          {data === undefined ? (
            <LoadingRows columns="1fr 40px 120px 44px" rows={4} height={32} what={words.reading} />
          ) : (
            <AgreementPanel judged={data} fields={fields} nameOf={nameOf} />
          )}
          <SkipReasons progress={queue.progress} />
        </div>
      </div>
    </div>
  )
}

function Progress({ queue, gold }: { queue: ListedQueue; gold: number | undefined }) {
  const { progress, review } = queue
  const asked = review.reviewers_per_item
  const { items, items_by_answers: counts } = progress
  // Whole items first.
  const parts = counts.map((count, answers) => ({ count, answers })).reverse()
  const given = counts.reduce((sum, count, answers) => sum + count * answers, 0)
  return (
    <section class={css.progress} aria-label={words.answersOf(given, items * asked)}>
      <p class={css.facts}>
        <b>{words.answersOf(given, items * asked)}</b>{' '}
        <span>
          {words.facts(items, asked, progress.claimed_items, gold)}
          {review.assigned_to.length > 0 && ` · ${reviewFormText.assignedTo(assignedNames(queue))}`}
        </span>
        <span class={css.recent}>{words.recent(progress.recent_answers)}</span>
      </p>
      <div class={css.bar} aria-hidden="true">
        {parts.map(
          ({ count, answers }) =>
            count > 0 && (
              <span
                key={answers}
                style={{ width: `${(100 * count) / Math.max(1, items)}%`, '--part': asked === 0 ? 0 : answers / asked }}
              />
            ),
        )}
      </div>
      <p class={css.legend}>
        {parts.map(({ count, answers }) => (
          <span key={answers} style={{ '--part': answers / asked }}>
            <i aria-hidden="true" />
            {words.byAnswers(answers, asked)} <b>{formatCount(count)}</b>
          </span>
        ))}
      </p>
    </section>
  )
}

function SkipReasons({ progress: { skips, skip_reasons: reasons } }: Pick<ListedQueue, 'progress'>) {
  if (skips === 0) return null
  const most = Math.max(...reasons.map(({ count }) => count))
  return (
    <section class={css.skips} aria-label={words.skipReasons}>
      <h2>
        {words.skipReasons} <small>{words.skippedCount(skips)}</small>
      </h2>
      {reasons.map(({ reason, count }) => (
        <div key={reason} class={css.skip}>
          <span class="cut" dir="auto">
            {reason || words.noReason}
          </span>
          <span class={css.length} aria-hidden="true">
            <span style={{ width: `${(100 * count) / most}%` }} />
          </span>
          <span>{formatCount(count)}</span>
        </div>
      ))}
    </section>
  )
}
