import { useMemo } from 'preact/hooks'
import { finalAnswersTo, judgementsQuery, kindOf } from '../agreement/judgements.ts'
import { nameInRef } from '../agreement/ref-name.ts'
import { membersOf, objectOf } from '../dataset/cells.ts'
import { fieldsQuery } from '../review/fields.ts'
import { queueQuery } from '../review/queues.ts'
import { useQuery } from '../state/query-signal.ts'
import { expectedColumn, type RowSource } from './call-rows.ts'

/** Final answers to the calls of a queue as JSON texts by column, by the id of the call. */
type FinalCells = ReadonlyMap<string, readonly (readonly [column: string, json: string])[]>

/** The calls of a queue that have final answers; nothing without a queue. */
export function useQueueAnswers(projectId: string, queueId: string) {
  const isAsked = queueId !== ''
  const queue = useQuery({ ...queueQuery(projectId, queueId), enabled: isAsked })
  const refs = queue.data?.scorer_refs ?? []
  const form = useQuery({ ...fieldsQuery(projectId, refs), enabled: refs.length > 0 })
  const judged = useQuery({ ...judgementsQuery(projectId, queueId), enabled: isAsked })
  const perItem = queue.data?.review.reviewers_per_item
  const calls = useMemo((): FinalCells | undefined => {
    if (!isAsked || perItem === undefined || form.data === undefined || judged.data === undefined) return undefined
    const fields = form.data
    return new Map(
      judged.data.flatMap((each) => {
        const answers = finalAnswersTo(each, fields, perItem)
        const cells = fields.flatMap((field) => {
          const { ref } = field
          const value = answers.get(ref)
          if (value === undefined || value === null) return []
          return [[kindOf(field) === 'correction' ? expectedColumn : nameInRef(ref), JSON.stringify(value)] as const]
        })
        return cells.length === 0 ? [] : [[each.item.call_id, cells] as const]
      }),
    )
  }, [isAsked, perItem, form.data, judged.data])
  const error = queue.error ?? form.error ?? judged.error
  const hasForm = queue.data !== null && (queue.data === undefined || refs.length > 0)
  return { calls, error, name: queue.data?.name ?? '', isReading: isAsked && hasForm && calls === undefined && !error }
}

/** Calls with their final answers as the member `final` of the payload. */
export const withFinalAnswers = (
  sources: readonly RowSource[] | undefined,
  calls: FinalCells | undefined,
): readonly RowSource[] | undefined =>
  calls === undefined
    ? sources
    : sources?.map((source) => ({
        ...source,
        text: objectOf([...membersOf(source.text), ['final', objectOf(calls.get(source.id) ?? [])]]),
      }))
