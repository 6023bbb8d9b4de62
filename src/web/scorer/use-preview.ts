import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { jsonIn, withoutFence } from '../../lib/judge-answer.ts'
import { type Run, runCompletion } from '../playground/run.ts'
import { useDatasetRow } from '../playground/use-dataset-row.ts'
import { useQuery } from '../state/query-signal.ts'
import { number, text } from '../state/search-text.ts'
import { urlState } from '../state/url-state.ts'
import { UsageOfRows } from '../table/rows/row-usage.ts'
import { inputsOfRequest, judgeModelQuery, judgeRequest } from './judge-request.ts'
import type { Judge } from './scorer.ts'

/** The row that is judged, and where its output comes from. */
const previewUrl = urlState({ rows: text(), version: text(), row: number(0), output: text() })

/** Says that the output is typed, instead of the name of a column. */
export const typed = '='

const likely = ['output', 'answer', 'response', 'expected', 'expected_output']
const keyOf = (projectId: string, name: string): string => `tracelake.judged ${projectId} ${name}`

function keptOutput(projectId: string, name: string): string {
  try {
    return localStorage.getItem(keyOf(projectId, name)) ?? ''
  } catch {
    return '' // Storage is unavailable.
  }
}

function keepOutput(projectId: string, name: string, output: string): void {
  try {
    if (output === '') localStorage.removeItem(keyOf(projectId, name))
    else localStorage.setItem(keyOf(projectId, name), output)
  } catch {
    // Storage is unavailable or full: the text then lasts as long as the page.
  }
}

/** A run of the judge, and what it was sent. */
interface Judged {
  readonly run: Run
  /** The inputs as JSON: the editor may have changed since. */
  readonly sent: string
}

/** The score that a run of the server would keep of an answer. */
export const scoreIn = (answer: string): unknown => jsonIn(withoutFence(answer)) ?? { text: answer }

/** One row of a dataset, what a judge is sent for it, and what it answers. */
export function usePreview(projectId: string, name: string, judge: Judge) {
  const { rows, version, row, output: from } = previewUrl.values.value
  const [own, setOwn] = useState(() => keptOutput(projectId, name))
  const [judged, setJudged] = useState<Judged>()
  const abort = useRef<AbortController>(undefined)
  const [usage] = useState(() => new UsageOfRows(projectId, false))
  const costs = usage.byId.value
  useEffect(() => () => abort.current?.abort(), [])
  const [first, setFirst] = useState('')
  const dataset = useDatasetRow(projectId, {
    dataset: rows || first,
    datasetDigest: version === '' ? undefined : version,
    row,
  })
  // Without a choice, the dataset that was changed last.
  const [newest] = dataset.families
  useEffect(() => setFirst(newest?.name ?? ''), [newest?.name])
  const values = dataset.values ?? {}
  const columns = Object.keys(values)
  const usual = likely.find((each) => columns.includes(each)) ?? typed
  const source = from === typed || columns.includes(from) ? from : usual
  const output = source === typed ? own : (values[source] ?? '')
  const model = useQuery(judgeModelQuery(projectId, judge.model))
  const request = useMemo(
    () => judgeRequest(judge, { row: dataset.values ?? {}, output }, model.data),
    [judge, dataset.values, output, model.data],
  )
  const sent = JSON.stringify(inputsOfRequest(request))
  // A row that is being read has no columns yet.
  const hasNoRow = (dataset.families.length === 0 && !dataset.isReading) || dataset.rowCount === 0
  const isRead = dataset.values !== undefined || hasNoRow
  const isRunning = judged?.run.state === 'waiting' || judged?.run.state === 'streaming'
  const run = async () => {
    abort.current?.abort()
    const own = new AbortController()
    abort.current = own
    const ended = await runCompletion(
      { projectId, inputs: () => inputsOfRequest(request) },
      { signal: own.signal, onChange: (next) => abort.current === own && setJudged({ run: next, sent }) },
    )
    if (ended.callId !== undefined) void usage.read([ended.callId])
  }
  return {
    dataset,
    datasetName: rows || first,
    row,
    columns,
    source,
    output,
    request,
    isRead,
    modelError: model.error,
    judged,
    isStale: judged !== undefined && judged.sent !== sent,
    isRunning,
    cost: judged?.run.callId === undefined ? undefined : costs.get(judged.run.callId)?.cost,
    run,
    stop: () => abort.current?.abort(),
    choose: (dataset: string) => previewUrl.replace({ rows: dataset, version: '', row: 0, output: from }),
    chooseVersion: (digest: string) => previewUrl.replace({ version: digest, row: 0 }),
    step: (by: 1 | -1) => {
      const last = (dataset.rowCount ?? 1) - 1
      previewUrl.replace({ row: Math.min(last, Math.max(0, row + by)) })
    },
    takeFrom: (next: string) => previewUrl.replace({ output: next }),
    /** Takes over what somebody types, which is then what is judged. */
    type: (next: string) => {
      setOwn(next)
      keepOutput(projectId, name, next)
      if (source !== typed) previewUrl.replace({ output: typed })
    },
  }
}

/** What `usePreview` gives. */
export type Preview = ReturnType<typeof usePreview>
