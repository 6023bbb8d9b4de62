import { Gauge, Table } from 'lucide'
import { useState } from 'preact/hooks'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import type { ReviewField } from '../review/fields.ts'
import type { ListedQueue } from '../review/queues.ts'
import { navigate } from '../state/location.ts'
import { judgeCheckPath, queueToDatasetPath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { agreementText as words } from '../text/agreement.ts'
import { finalAnswersTo, judgementsQuery } from './judgements.ts'
import { nameInRef } from './ref-name.ts'
import { settleQueue } from './requests.ts'
import { runsOfCalls } from './runs-of-calls.ts'

interface ExportMenuProps {
  readonly projectId: string
  readonly queue: ListedQueue
  readonly fields: readonly ReviewField[]
}

/** Makes rows of a dataset, or labels of a judge check, of the final answers of a queue. */
export function ExportMenu({ projectId, queue, fields }: ExportMenuProps) {
  const { data } = useQuery(judgementsQuery(projectId, queue.id))
  const [busy, setBusy] = useState(false)
  const perItem = queue.review.reviewers_per_item
  const final = (data ?? []).flatMap((judged) => {
    const answers = finalAnswersTo(judged, fields, perItem)
    return [...answers.values()].some((value) => value !== null) ? [{ callId: judged.item.call_id, answers }] : []
  })
  if (final.length === 0) return null
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
  return (
    <MenuButton
      label={words.exportMenu}
      side="end"
      items={[
        { label: words.dataset, icon: Table, run: () => void toDataset() },
        { label: words.judgeCheck, icon: Gauge, run: () => void toJudgeCheck() },
      ]}
    >
      {words.toDataset(final.length)}
    </MenuButton>
  )
}
