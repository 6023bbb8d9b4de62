import { useId, useMemo, useState } from 'preact/hooks'
import { postRows } from '../api/lines.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import { readFilter } from '../filter/filter-text.ts'
import { useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { countCalls, countWords, scopeOf } from '../table/calls-request.ts'
import { suggesterFor } from '../table/suggest.ts'
import { reviewText } from '../text/review.ts'
import css from './queue-form.module.css'
import { addToQueue, type Queue } from './queues.ts'

/** As many as one request adds. */
const addedMax = 10_000
const addedFirst = 200

interface AddItemsDialogProps {
  readonly projectId: string
  readonly queue: Queue
  readonly onClose: () => void
}

/** Adds the newest calls that match a filter to a queue. */
export default function AddItemsDialog({ projectId, queue, onClose }: AddItemsDialogProps) {
  const [kind, setKind] = useState<'traces' | 'calls'>('traces')
  const [text, setText] = useState('')
  const [most, setMost] = useState(String(addedFirst))
  const [busy, setBusy] = useState(false)
  const id = useId()
  const rootsOnly = kind === 'traces'
  const suggest = useMemo(() => suggesterFor(projectId, rootsOnly), [projectId, rootsOnly])
  const { node: filter, error: fault } = useMemo(() => readFilter(text), [text])
  const counted = useQuery({
    queryKey: ['count', projectId, rootsOnly, text],
    enabled: fault === undefined,
    queryFn: ({ signal }) => countCalls({ projectId, rootsOnly, filter }, signal),
  })
  const limit = /^\d+$/.test(most) ? Number(most) : 0
  const isBad = limit < 1 || limit > addedMax
  const isEmpty = fault !== undefined || counted.data === 0
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBad || isEmpty || busy) return
    setBusy(true)
    try {
      const body = {
        ...scopeOf({ projectId, rootsOnly, filter }),
        columns: ['id'],
        sort_by: [{ field: 'started_at', direction: 'desc' }],
        limit,
        omit_null: true,
      }
      const calls = await postRows<{ id: string }>('/calls/stream_query', body)
      const added = await addToQueue(
        projectId,
        queue.id,
        calls.map((call) => call.id),
      )
      showToast({ kind: 'done', text: reviewText.added(added, queue.name) })
      onClose()
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={reviewText.addTitle(queue.name)}
      class={css.wide}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {reviewText.cancel}
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy} disabled={isBad || isEmpty}>
            {reviewText.add}
          </Button>
        </>
      }
    >
      <form id={id} class={css.form} onSubmit={(event) => void add(event)}>
        <Segments
          label={reviewText.which}
          options={[
            { id: 'traces', label: reviewText.kinds.traces },
            { id: 'calls', label: reviewText.kinds.calls },
          ]}
          current={kind}
          onSelect={setKind}
        />
        <div>
          <FilterBar text={text} onCommit={setText} suggest={suggest} />
          <p class={css.hint} role="status">
            {counted.data === undefined
              ? fault === undefined && reviewText.counting
              : reviewText.matches(counted.data, countWords(counted.data), reviewText.nouns[kind](counted.data))}
          </p>
        </div>
        <Field
          label={reviewText.most}
          hint={reviewText.mostHint}
          error={isBad ? reviewText.mostBad(addedMax) : undefined}
          inputMode="numeric"
          value={most}
          onInput={(event) => setMost(event.currentTarget.value.trim())}
        />
      </form>
    </Dialog>
  )
}
