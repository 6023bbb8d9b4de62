import { Gauge, Table } from 'lucide'
import { useState } from 'preact/hooks'
import type { RunList } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import type { ReviewField } from '../review/fields.ts'
import type { ListedQueue } from '../review/queues.ts'
import { judgeCheckPath, queueToDatasetPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { agreementText as words } from '../text/agreement.ts'
import { finalAnswersTo, judgementsQuery } from './judgements.ts'
import { nameInRef } from './ref-name.ts'
import { settleQueue } from './requests.ts'

interface Exports {
  /** Items with final answers. */
  readonly count: number
  readonly items: readonly MenuItem[]
}

/**
 * What can be made of the final answers of a queue: rows of a dataset, or labels of a judge check.
 * Undefined while nothing is final.
 */
export function useExports(
  projectId: string,
  queue: ListedQueue | undefined,
  fields: readonly ReviewField[],
): Exports | undefined {
  const { data } = useQuery({ ...judgementsQuery(projectId, queue?.id ?? ''), enabled: queue !== undefined })
  const [busy, setBusy] = useState(false)
  const perItem = queue?.review.reviewers_per_item ?? 1
  const final = (data ?? []).flatMap((judged) => {
    const answers = finalAnswersTo(judged, fields, perItem)
    return [...answers.values()].some((value) => value !== null) ? [{ callId: judged.item.call_id, answers }] : []
  })
  if (queue === undefined || final.length === 0) return undefined
  const settled = async (then: () => Promise<void> | void): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      await settleQueue(projectId, queue.id)
      await then()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const toDataset = () => settled(() => navigate(queueToDatasetPath(projectId, queue.id)))
  const toJudgeCheck = () =>
    settled(async () => {
      const runs = await runsOfCalls(
        projectId,
        final.map(({ callId }) => callId),
      )
      if (runs.length === 0) {
        showToast({ kind: 'news', text: words.noRuns })
        return
      }
      const labels = fields.find(
        ({ ref, of }) =>
          (of.kind === 'boolean' || of.kind === 'choice') && final.some(({ answers }) => answers.has(ref)),
      )
      navigate(judgeCheckPath(projectId, runs, labels && `feedback:final_answer.${nameInRef(labels.ref)}#value`))
    })
  return {
    count: final.length,
    items: [
      { label: words.dataset, icon: Table, run: () => void toDataset() },
      { label: words.judgeCheck, icon: Gauge, run: () => void toJudgeCheck() },
    ],
  }
}

/** The same as a menu. */
export const ExportMenu = ({ count, items }: Exports) => (
  <MenuButton label={words.exportMenu} side="end" items={items}>
    {words.toDataset(count)}
  </MenuButton>
)

/** Calls that are looked at, and runs that a judge check compares. */
const callsMax = 500
const runsMax = 10
/** A prediction is a child of a trial, which is a child of a run. */
const levels = 2

/** The evaluation runs that calls are predictions or trials of. @throws {Problem} */
async function runsOfCalls(projectId: string, callIds: readonly string[]): Promise<readonly string[]> {
  const above = new Set<string>()
  let ids: readonly string[] = callIds.slice(0, callsMax)
  for (let level = 0; level < levels && ids.length > 0; level++) {
    const body = { project_id: projectId, filter: { call_ids: ids }, columns: ['id', 'parent_id'], omit_null: true }
    const calls = await postRows<{ readonly id: string; readonly parent_id?: string }>('/calls/stream_query', body)
    ids = [...new Set(calls.flatMap(({ parent_id }) => parent_id ?? []))]
    for (const id of ids) above.add(id)
  }
  const wanted = [...above].slice(-callsMax)
  if (wanted.length === 0) return []
  const body = { project_id: projectId, evaluation_call_ids: wanted }
  const { runs } = await post<RunList>('/evaluations/runs/query', body)
  return runs.slice(0, runsMax).map(({ evaluation_call_id }) => evaluation_call_id)
}
