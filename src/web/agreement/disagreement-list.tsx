import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import type { ReviewField } from '../review/fields.ts'
import { callsOfItemsQuery } from '../review/queues.ts'
import { adjudicatePath } from '../state/judging-paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { useIsPhone } from '../state/use-media.ts'
import { preview } from '../table/rows/preview.tsx'
import { agreementText as words } from '../text/agreement.ts'
import css from './disagreement-list.module.css'
import type { Disagreement } from './judgements.ts'
import { valueText } from './value-text.tsx'

/** As many rows as a page shows; the others come after these are decided. */
const rowsMax = 100

interface DisagreementListProps {
  readonly projectId: string
  readonly queueId: string
  readonly disagreements: readonly Disagreement[]
  readonly reviewersPerItem: number
  /** Undefined for people who may not decide. */
  readonly onDecide: (() => void) | undefined
}

/** The items on which reviewers disagree, question by question. */
export function DisagreementList({ projectId, queueId, disagreements, ...rest }: DisagreementListProps) {
  const { reviewersPerItem, onDecide } = rest
  const isPhone = useIsPhone()
  const [chosen, setChosen] = useState('')
  const rows = disagreements.flatMap((each) => each.fields.map((field) => ({ ...each, field })))
  const fields = new Map<string, ReviewField>(rows.map(({ field }) => [field.ref, field]))
  const shown = rows.filter(({ field }) => chosen === '' || field.ref === chosen).slice(0, rowsMax)
  const callIds = [...new Set(shown.map(({ judged }) => judged.item.call_id))]
  const calls = useQuery(callsOfItemsQuery(projectId, callIds))
  const open = disagreements.filter(({ isDecided }) => !isDecided).length
  return (
    <section aria-label={words.disagreements}>
      <div class={css.head}>
        <h2>{words.disagreements}</h2>
        {fields.size > 1 && (
          <Segments
            label={words.ofField}
            options={[
              { id: '', label: <Label name={words.all} count={rows.length} /> },
              ...[...fields].map(([ref, { name }]) => ({
                id: ref,
                label: <Label name={name} count={rows.filter(({ field }) => field.ref === ref).length} />,
              })),
            ]}
            current={chosen}
            onSelect={setChosen}
          />
        )}
        {open > 0 && onDecide && (
          <Button hint={isPhone ? undefined : 'V'} onClick={onDecide}>
            {words.decide(open)}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <p class={css.none}>{reviewersPerItem === 1 ? words.oneReviewer : words.noDisagreements}</p>
      ) : (
        <div class={css.box}>
          <table class={css.table} aria-label={words.disagreements}>
            <thead>
              <tr>
                <th scope="col">{words.heads.item}</th>
                <th scope="col">{words.heads.input}</th>
                <th scope="col">{words.heads.field}</th>
                <th scope="col">{words.heads.answer(1)}</th>
                <th scope="col">{words.heads.answer(2)}</th>
                <th scope="col">
                  <span class="sr-only">{words.heads.decide}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ judged: { item, answers }, field, isDecided }) => {
                const call = calls.data?.get(item.call_id)
                const given = [...(answers.get(field.ref)?.values() ?? [])]
                return (
                  <tr key={`${item.id} ${field.ref}`}>
                    <td>{String(item.position_in_queue).padStart(3, '0')}</td>
                    <td dir="auto">{call && preview(call.input)}</td>
                    <td dir="auto">{field.name}</td>
                    <td dir="auto">{valueText(field, given[0], item.call_id)}</td>
                    <td dir="auto">
                      {given
                        .slice(1)
                        .map((value) => valueText(field, value, item.call_id))
                        .join(' / ')}
                    </td>
                    <td>
                      {isDecided ? (
                        <span class={css.decided}>{words.decided}</span>
                      ) : (
                        onDecide && (
                          <a
                            href={adjudicatePath(projectId, queueId, item.id)}
                            aria-label={`${words.heads.decide}: ${words.itemNumber(item.position_in_queue)}`}
                          >
                            {words.heads.decide}
                          </a>
                        )
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Label = ({ name, count }: { name: string; count: number }) => (
  <>
    <span dir="auto">{name}</span> <span class={css.count}>{count}</span>
  </>
)
