import { User } from 'lucide'
import { Icon } from '../components/display/icon.tsx'
import { formatElapsed } from '../format/duration.ts'
import { formatCount } from '../format/number.ts'
import { formatAgo, formatFullTime } from '../format/time.ts'
import type { ListedQueue } from '../review/queues.ts'
import { agreementText as words } from '../text/agreement.ts'
import type { Gold } from './requests.ts'
import css from './reviewer-table.module.css'
import { wilson } from './wilson.ts'

interface ReviewerTableProps {
  readonly progress: ListedQueue['progress']
  /** Undefined for people who may not see it. */
  readonly gold: Gold | undefined
  readonly nameOf: (userId: string) => string
}

/** What each person has done in a queue, and how fast. */
export function ReviewerTable({ progress: { items, reviewers }, gold, nameOf }: ReviewerTableProps) {
  const hasGold = gold !== undefined && gold.items.length > 0
  return (
    <section>
      <h2 class={css.title}>
        {words.reviewers} <small>{hasGold ? words.goldAbout : words.reviewersAbout}</small>
      </h2>
      {reviewers.length === 0 ? (
        <p class={css.none}>{words.nobody}</p>
      ) : (
        <div class={css.box} tabIndex={0} role="region" aria-label={words.reviewers}>
          <table class={css.table} aria-label={words.reviewers}>
            <thead>
              <tr>
                <th scope="col">{words.heads.who}</th>
                <th scope="col">{words.heads.answers}</th>
                <th scope="col">{words.heads.today}</th>
                <th scope="col">{words.heads.skips}</th>
                <th scope="col">{words.heads.median}</th>
                {hasGold && <th scope="col">{words.heads.gold}</th>}
                <th scope="col">{words.heads.last}</th>
              </tr>
            </thead>
            <tbody>
              {reviewers.map(({ user_id, ...person }) => (
                <tr key={user_id}>
                  <th scope="row">
                    <span class={css.who}>
                      <Icon of={User} size={14} />
                      <span dir="auto">{nameOf(user_id)}</span>
                    </span>
                  </th>
                  <td>
                    {formatCount(person.answers)}
                    <span class={css.bar} aria-hidden="true">
                      <span style={{ width: `${(100 * person.answers) / Math.max(1, items)}%` }} />
                    </span>
                  </td>
                  <td>{formatCount(person.recent_answers)}</td>
                  <td data-tip={words.skipsOf(person.skip_reasons) || undefined}>
                    {formatCount(person.skips)}
                    {person.skips > 0 && <small>{words.skipsOf(person.skip_reasons)}</small>}
                  </td>
                  <td>{person.median_seconds === null ? '–' : formatElapsed(person.median_seconds * 1_000)}</td>
                  {hasGold && (
                    <td>
                      <GoldFigure gold={gold} userId={user_id} />
                    </td>
                  )}
                  <td
                    class={css.grey}
                    data-tip={person.last_answer_at === null ? undefined : formatFullTime(person.last_answer_at)}
                  >
                    {person.last_answer_at === null ? '–' : formatAgo(person.last_answer_at)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function GoldFigure({ gold, userId }: { gold: Gold; userId: string }) {
  const own = gold.reviewers.find(({ user_id }) => user_id === userId)
  if (own === undefined || own.answered === 0) return <>–</>
  return (
    <>
      {words.rightOf(own.right, own.answered)}{' '}
      <span class={css.grey}>{words.percents(...wilson(own.right, own.answered))}</span>
    </>
  )
}
