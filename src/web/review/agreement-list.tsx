import { post } from '../api/client.ts'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { useQuery } from '../state/query-signal.ts'
import { reviewText } from '../text/review.ts'
import { type Agreement, agreementOf, type Unit } from './agreement.ts'
import css from './agreement-list.module.css'
import type { ReviewField } from './fields.ts'
import { itemsMax } from './queues.ts'

interface Judgement {
  readonly annotation_ref?: string | null
  readonly payload: { readonly value?: unknown }
}

interface JudgedItem {
  readonly feedback?: readonly Judgement[]
}

const answersQuery = (projectId: string, queueId: string) => ({
  queryKey: ['queues', projectId, 'answers', queueId],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly JudgedItem[]> => {
    const body = { project_id: projectId, include_feedback: true, limit: itemsMax }
    const path = `/annotation_queues/${encodeURIComponent(queueId)}/items/query`
    return (await post<{ items: JudgedItem[] }>(path, body, { signal })).items
  },
})

/** Kinds whose answers are rarely the same. */
const uncompared: ReadonlySet<string> = new Set(['text', 'several', 'correction', 'spans'])

interface AgreementListProps {
  readonly projectId: string
  readonly queueId: string
  readonly fields: readonly ReviewField[]
}

/** How much reviewers agree, question by question. Texts cannot be compared. */
export default function AgreementList({ projectId, queueId, fields }: AgreementListProps) {
  const { data, error, refetch } = useQuery(answersQuery(projectId, queueId))
  const compared = fields.filter(({ of }) => !uncompared.has(of.kind))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined)
    return <LoadingRows columns="1fr 60px 200px 60px" rows={4} height={32} what={reviewText.readingAnswers} />
  return (
    <section class={css.list} aria-label={reviewText.agreement} tabIndex={0}>
      <p class={css.about}>{reviewText.agreementAbout}</p>
      {compared.length === 0 && <p class={css.about}>{reviewText.nothingCompared}</p>}
      {compared.map((field) => (
        <Row key={field.ref} name={field.name} agreement={agreementIn(data, field)} />
      ))}
    </section>
  )
}

function agreementIn(items: readonly JudgedItem[], { ref, of }: ReviewField): Agreement {
  const units = items.map(
    ({ feedback }): Unit =>
      (feedback ?? []).flatMap(({ annotation_ref, payload: { value } }) =>
        annotation_ref === ref && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
          ? [value]
          : [],
      ),
  )
  return agreementOf(units, of.kind === 'scale' || of.kind === 'number' ? 'interval' : 'nominal')
}

const figure = (value: number): string => value.toFixed(2).replace('-', '−')

const Row = ({ name, agreement: { items, alpha, interval } }: { name: string; agreement: Agreement }) => (
  <div class={css.row}>
    <span class="cut" dir="auto">
      {name}
    </span>
    <b class={css.figure}>{alpha === undefined ? '–' : figure(alpha)}</b>
    <span class={css.range}>
      {interval
        ? reviewText.range(figure(interval[0]), figure(interval[1]))
        : alpha === undefined
          ? reviewText.tooFew(items)
          : null}
    </span>
    <span class={css.count}>{reviewText.countOf(items)}</span>
  </div>
)
