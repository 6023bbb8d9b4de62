import { useMemo, useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { Field } from '../components/controls/field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import { readFilter } from '../filter/filter-text.ts'
import { formatCount } from '../format/number.ts'
import css from '../review/queue-form.module.css'
import { type Queue, refreshQueues } from '../review/queues.ts'
import { useQuery } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { scopeOf } from '../table/calls-request.ts'
import { suggesterFor } from '../table/suggest.ts'
import { agreementText } from '../text/agreement.ts'
import { reviewText } from '../text/review.ts'
import { addByQuery } from './requests.ts'

/** As many as one request adds. */
const addedMax = 10_000
const addedFirst = 200
/** The same sample each time, so that adding it again adds nothing. */
const sampleSeed = 1

type Source = keyof typeof agreementText.sources

interface AddItemsDialogProps {
  readonly projectId: string
  readonly queue: Queue
  readonly onClose: () => void
}

/** Adds calls: those that match a filter, of a thread, or on which two judges disagree. */
export default function AddItemsDialog({ projectId, queue, onClose }: AddItemsDialogProps) {
  const [source, setSource] = useState<Source>('filter')
  const [kind, setKind] = useState<'traces' | 'calls'>('traces')
  const [text, setText] = useState('')
  const [thread, setThread] = useState('')
  const [pair, setPair] = useState<readonly [string, string]>(['', ''])
  const [apart, setApart] = useState('0')
  const [order, setOrder] = useState<'newest' | 'sample'>('newest')
  const [most, setMost] = useState(String(addedFirst))
  const rootsOnly = source !== 'judges' && kind === 'traces'
  const noun = rootsOnly ? 'traces' : 'calls'
  const suggest = useMemo(() => suggesterFor(projectId, rootsOnly), [projectId, rootsOnly])
  const { node: filter, error: fault } = useMemo(() => readFilter(text), [text])
  const judges = useQuery({ ...judgeChoicesQuery(projectId), enabled: source === 'judges' })
  const choices = judges.data ?? []
  const [first, second] = pair.map((wanted, at) => choices.find((each) => each.id === wanted) ?? choices[at])
  const scope = scopeOf({ projectId, rootsOnly, filter: source === 'filter' ? filter : undefined })
  const request =
    source === 'filter'
      ? fault === undefined && scope
      : source === 'thread'
        ? thread.trim() !== '' && { ...scope, filter: { ...scope.filter, thread_ids: [thread.trim()] } }
        : first && second && { project_id: projectId, disagreement: disagreementOf(first, second, apart) }
  const counted = useQuery({
    queryKey: ['queues', projectId, 'count', queue.id, request],
    enabled: Boolean(request),
    queryFn: ({ signal }) => addByQuery(queue.id, { ...request, count_only: true }, signal),
  })
  const limit = /^\d+$/.test(most) ? Number(most) : 0
  const isBad = limit < 1 || limit > addedMax
  const isEmpty = !request || counted.data?.matched_count === 0
  const add = async (): Promise<void> => {
    if (!request) return
    const sample = order === 'sample' ? { sample_seed: sampleSeed } : {}
    const { added_count, duplicates } = await addByQuery(queue.id, { ...request, ...sample, limit })
    await refreshQueues(projectId)
    showToast({ kind: 'done', text: agreementText.added(added_count, duplicates, queue.name) })
    onClose()
  }
  return (
    <FormDialog
      title={reviewText.addTitle(queue.name)}
      verb={reviewText.add}
      isReady={!isBad && !isEmpty}
      class={css.wide}
      formClass={css.form}
      submit={add}
      onClose={onClose}
    >
      <div class={css.choices}>
        <Segments
          label={agreementText.from}
          options={(['filter', 'thread', 'judges'] as const).map((each) => ({
            id: each,
            label: agreementText.sources[each],
          }))}
          current={source}
          onSelect={setSource}
        />
        {source !== 'judges' && (
          <Segments
            label={reviewText.which}
            options={[
              { id: 'traces', label: reviewText.kinds.traces },
              { id: 'calls', label: reviewText.kinds.calls },
            ]}
            current={kind}
            onSelect={setKind}
          />
        )}
      </div>
      {source === 'filter' && <FilterBar text={text} onCommit={setText} suggest={suggest} />}
      {source === 'thread' && (
        <Field
          label={agreementText.thread}
          hint={agreementText.threadHint}
          value={thread}
          autocomplete="off"
          onInput={(event) => setThread(event.currentTarget.value)}
        />
      )}
      {source === 'judges' && judges.data !== undefined && choices.length < 2 && (
        <p class={css.hint}>{agreementText.noJudges}</p>
      )}
      {source === 'judges' && choices.length >= 2 && (
        <>
          {([first, second] as const).map((chosen, at) => (
            <Select
              key={at}
              label={at === 0 ? agreementText.firstJudge : agreementText.secondJudge}
              value={chosen?.id ?? ''}
              options={choices.map(({ id: choice, label }) => ({ id: choice, label }))}
              onChange={(next) => setPair(at === 0 ? [next, second?.id ?? ''] : [first?.id ?? '', next])}
            />
          ))}
          <Field
            label={agreementText.apart}
            inputMode="decimal"
            value={apart}
            onInput={(event) => setApart(event.currentTarget.value.trim())}
          />
        </>
      )}
      {request && (
        <p class={css.hint} role="status">
          {counted.data === undefined
            ? reviewText.counting
            : matchWords(counted.data.matched_count, counted.data.in_queue_count, noun)}
        </p>
      )}
      <Segments
        label={agreementText.order}
        options={(['newest', 'sample'] as const).map((each) => ({ id: each, label: agreementText.orders[each] }))}
        current={order}
        onSelect={setOrder}
      />
      <Field
        label={reviewText.most}
        hint={reviewText.mostHint}
        error={isBad ? reviewText.mostBad(addedMax) : undefined}
        inputMode="numeric"
        value={most}
        onInput={(event) => setMost(event.currentTarget.value.trim())}
      />
    </FormDialog>
  )
}

const matchWords = (matched: number, inQueue: number, noun: 'traces' | 'calls'): string => {
  const words = reviewText.matches(matched, formatCount(matched), reviewText.nouns[noun](matched))
  return inQueue === 0 ? words : `${words} ${agreementText.inQueue(inQueue)}`
}

const disagreementOf = (first: JudgeChoice, second: JudgeChoice, apart: string) => {
  const distance = Number(apart)
  return {
    first: { feedback_type: first.type, path: first.path },
    second: { feedback_type: second.type, path: second.path },
    apart: Number.isFinite(distance) && distance > 0 ? distance : 0,
  }
}

/** A value that a scorer says of calls. */
interface JudgeChoice {
  readonly id: string
  readonly label: string
  readonly type: string
  /** Dotted path into the payload. */
  readonly path: string
}

/** Feedback that is looked at for what scorers say. */
const sampleRows = 500
const depthMax = 3
const choicesMax = 60

/** What scorers said of calls lately: one choice for each value. */
const judgeChoicesQuery = (projectId: string) => ({
  queryKey: ['judge choices', projectId],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly JudgeChoice[]> => {
    const body = {
      project_id: projectId,
      fields: ['feedback_type', 'payload'],
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: sampleRows,
    }
    const { result } = await post<{ result: Row[] }>('/feedback/query', body, { signal })
    return choicesIn(result)
  },
})

interface Row {
  readonly feedback_type: string
  readonly payload: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Scores by programs, and feedback of types that users made up; not what people answer. */
const isJudge = (type: string): boolean =>
  type.startsWith('ext.runnable.') || !(type.startsWith('ext.') || type.startsWith('final_answer.'))

function choicesIn(rows: readonly Row[]): readonly JudgeChoice[] {
  const found = new Map<string, JudgeChoice>()
  const collect = (type: string, value: unknown, path: readonly string[]): void => {
    if (isObject(value)) {
      if (path.length < depthMax)
        for (const [name, inner] of Object.entries(value)) collect(type, inner, [...path, name])
      return
    }
    // Reasons differ between any two judges.
    const isLongText = typeof value === 'string' && value.length > 40
    if (path.length === 0 || value === null || Array.isArray(value) || isLongText) return
    const dotted = path.join('.')
    const id = `${type}#${dotted}`
    const name = type.replace(/^ext\.runnable\./, '')
    const shown = dotted.replace(/^output\.?/, '')
    found.set(id, { id, type, path: dotted, label: shown === '' ? name : `${name}: ${shown}` })
  }
  for (const { feedback_type: type, payload } of rows) if (isJudge(type)) collect(type, payload, [])
  return [...found.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1)).slice(0, choicesMax)
}
