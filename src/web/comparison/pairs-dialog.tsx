import type { Static } from '@sinclair/typebox'
import { useState } from 'preact/hooks'
import type { EvalResults } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { createPreferenceQueue } from '../review/preference-queue.ts'
import { addPairs, type Pair } from '../review/queues.ts'
import { navigate } from '../state/location.ts'
import { queuePath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { pairsText as words } from '../text/evaluation/pairs.ts'
import { type LetteredRun, type RowsAsked, readRows } from './comparison-data.ts'
import css from './dialogs.module.css'
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

const pageMax = 1_000
/** Rows whose outputs are read by one request. */
const rowsAtOnce = 200

/** Pairs of outputs to the same rows. */
interface FoundPairs {
  readonly pairs: readonly Pair[]
  /** Rows whose outputs are equal. */
  readonly same: number
  /** Rows to which a run has no output. */
  readonly missing: number
}

/**
 * Reads pairs of calls that gave the outputs of two runs to rows that are shown, which are drawn at
 * random and in random order.
 *
 * @param count rows that are drawn
 * @throws {Problem}
 */
async function readPairs(asked: RowsAsked, runs: Pair, count: number): Promise<FoundPairs> {
  const digests = shuffled(await digestsOf(asked)).slice(0, count)
  const pairs: Pair[] = []
  let same = 0
  for (let from = 0; from < digests.length; from += rowsAtOnce) {
    const some = digests.slice(from, from + rowsAtOnce)
    const body = {
      evaluation_call_ids: runs,
      filters: [
        { query: { $expr: { $in: [{ $getField: 'row_digest' }, some.map((digest) => ({ $literal: digest }))] } } },
      ],
      limit: rowsAtOnce,
    }
    const { rows } = await post<Static<typeof EvalResults>>(`/v2/${asked.projectId}/eval_results/query`, body)
    const byDigest = new Map(rows.map((row) => [row.row_digest, row]))
    for (const digest of some) {
      const trials = byDigest.get(digest)?.evaluations ?? []
      const [a, b] = runs.map((run) => trials.find(({ evaluation_call_id }) => evaluation_call_id === run)?.trials[0])
      if (!a?.predict_call_id || !b?.predict_call_id || a.model_output == null || b.model_output == null) continue
      if (JSON.stringify(a.model_output) === JSON.stringify(b.model_output)) same++
      else pairs.push([a.predict_call_id, b.predict_call_id])
    }
  }
  return { pairs, same, missing: digests.length - pairs.length - same }
}

async function digestsOf(asked: RowsAsked): Promise<string[]> {
  const digests: string[] = []
  let total = 1
  for (let page = 0; page * pageMax < total; page++) {
    const { rows, total_rows } = await readRows(asked, page, undefined, pageMax)
    total = total_rows
    for (const { row_digest } of rows) digests.push(row_digest)
  }
  return digests
}

/** The same items in random order. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = items.map((item) => ({ item, at: Math.random() }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
