import { useState } from 'preact/hooks'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { createPreferenceQueue } from '../review/preference-queue.ts'
import { addPairs } from '../review/queues.ts'
import { navigate } from '../state/location.ts'
import { queuePath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { pairsText as words } from '../text/evaluation/pairs.ts'
import type { LetteredRun, RowsAsked } from './comparison-data.ts'
import css from './dialogs.module.css'
import { readPairs } from './pairs.ts'
import { runLetter } from './run-mark.tsx'

interface PairsDialogProps {
  readonly asked: RowsAsked
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly nameOf: (id: string) => string
  /** Rows that are shown. */
  readonly rowCount: number
  readonly onClose: () => void
}

const rowsUsual = 100
const rowsMax = 5_000

/** Makes a queue in which people say which output of two runs is better, row by row. */
export default function PairsDialog({ asked, runs, baseline, nameOf, rowCount, onClose }: PairsDialogProps) {
  const others = runs.filter((run) => run.id !== baseline)
  const [first, setFirst] = useState(baseline)
  const [second, setSecond] = useState(others[0]?.id ?? '')
  const [name, setName] = useState<string>(words.nameUsual)
  const [count, setCount] = useState(String(Math.min(rowCount, rowsUsual)))
  const [reviewers, setReviewers] = useState('2')
  const most = Math.min(rowCount, rowsMax)
  const isCount = /^\d+$/.test(count) && Number(count) >= 1 && Number(count) <= most
  const canMake = isCount && name.trim() !== '' && first !== second
  const options = runs.map((run) => ({ id: run.id, label: `${runLetter(run.place)} · ${nameOf(run.id)}` }))
  const make = async (): Promise<void> => {
    const { pairs, same, missing } = await readPairs(asked, [first, second], Number(count))
    if (pairs.length === 0) {
      showToast({ kind: 'news', text: words.none(same, missing) })
      return
    }
    const queueId = await createPreferenceQueue(asked.projectId, name.trim(), Number(reviewers))
    const added = await addPairs(asked.projectId, queueId, pairs)
    showToast({ kind: 'done', text: words.made(added, same, missing) })
    navigate(queuePath(asked.projectId, queueId))
  }
  return (
    <FormDialog
      title={words.title}
      verb={words.make}
      isReady={canMake}
      class={css.wide}
      formClass={css.form}
      submit={make}
      onClose={onClose}
    >
      <p>{words.reason}</p>
      <Select label={words.first} value={first} options={options} onChange={setFirst} />
      <Select label={words.second} value={second} options={options} onChange={setSecond} />
      {first === second && <p class={css.note}>{words.sameRun}</p>}
      <Field label={words.name} value={name} required onInput={(event) => setName(event.currentTarget.value)} />
      <Field
        label={words.rows(most)}
        hint={words.rowsHint}
        value={count}
        inputMode="numeric"
        error={isCount ? undefined : words.badRows(most)}
        onInput={(event) => setCount(event.currentTarget.value)}
      />
      <Select
        label={words.reviewers}
        value={reviewers}
        options={['1', '2', '3', '4', '5'].map((each) => ({ id: each, label: each }))}
        onChange={setReviewers}
      />
    </FormDialog>
  )
}
