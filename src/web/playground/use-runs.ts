import { useEffect, useRef, useState } from 'preact/hooks'
import { UsageOfRows } from '../table/rows/row-usage.ts'
import { type ChatMessage, type Run, type RunRequest, runColumn } from './run.ts'

/** What a column has asked for and got: its runs, and the messages that were added. */
export interface ColumnRuns {
  readonly runs: readonly Run[]
  /** Answers and results of tools before the last one. */
  readonly further: readonly ChatMessage[]
  /** How often the provider was asked since the last success. */
  readonly attempt: number
  /** Time at which the column is run again, in milliseconds; undefined if it does not wait. */
  readonly againAt: number | undefined
}

const attemptsMax = 5
const none: ColumnRuns = { runs: [], further: [], attempt: 1, againAt: undefined }

/** Whether a run is still going. */
export const isRunning = ({ state }: Run): boolean => state === 'waiting' || state === 'streaming'

/** What is asked again. */
type Ask = Omit<RunRequest, 'at' | 'further' | 'begun'>

/** The runs of all columns: they go on beside each other, and each can be stopped. */
export function useRuns(projectId: string) {
  const [byColumn, setByColumn] = useState<ReadonlyMap<number, ColumnRuns>>(new Map())
  const current = useRef(byColumn)
  const aborts = useRef(new Map<number, AbortController>())
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>())
  const [usage] = useState(() => new UsageOfRows(projectId, false))
  const costs = usage.byId.value
  const put = (key: number, changes: Partial<ColumnRuns>) => {
    const next = new Map(current.current)
    next.set(key, { ...(next.get(key) ?? none), ...changes })
    current.current = next
    setByColumn(next)
  }
  const stopWaiting = (key: number) => {
    clearTimeout(timers.current.get(key))
    timers.current.delete(key)
    put(key, { againAt: undefined })
  }
  const stop = (key: number) => {
    aborts.current.get(key)?.abort()
    stopWaiting(key)
  }
  const stopAll = () => {
    for (const key of current.current.keys()) stop(key)
  }
  useEffect(() => stopAll, [])

  /** Runs a column. @param more what goes on: the text of an answer, or what follows it */
  const run = async (
    ask: Ask,
    { times = 1, further = [], begun, attempt = 1 }: Partial<ColumnRuns> & { times?: number; begun?: string } = {},
  ): Promise<void> => {
    const { key } = ask.column
    stop(key)
    const abort = new AbortController()
    aborts.current.set(key, abort)
    put(key, { runs: [], further, attempt })
    const runs: Run[] = []
    const all = Array.from({ length: times }, async (_, at) => {
      const request = { ...ask, further, at, ...(begun !== undefined && { begun }) }
      return await runColumn(request, {
        signal: abort.signal,
        onChange: (next) => {
          runs[at] = next
          if (aborts.current.get(key) === abort) put(key, { runs: [...runs] })
        },
      })
    })
    const ended = await Promise.all(all)
    const ids = ended.flatMap(({ callId }) => callId ?? [])
    if (ids.length > 0) void usage.read(ids)
    if (aborts.current.get(key) !== abort || abort.signal.aborted) return
    const wait = ended.find(({ answer }) => answer?.status === 429)?.answer?.retry_after_ms
    if (wait === undefined || wait === null || attempt >= attemptsMax) return
    put(key, { againAt: Date.now() + wait })
    const again = () => void run(ask, { times, further, ...(begun !== undefined && { begun }), attempt: attempt + 1 })
    timers.current.set(key, setTimeout(again, wait))
  }
  const forget = (key: number) => {
    stop(key)
    const next = new Map(current.current)
    next.delete(key)
    current.current = next
    setByColumn(next)
  }
  const costOf = ({ callId }: Run): number | undefined => (callId === undefined ? undefined : costs.get(callId)?.cost)
  const shown = (key: number): ColumnRuns => byColumn.get(key) ?? none
  const running = [...byColumn.values()].filter(
    ({ runs, againAt }) => againAt !== undefined || runs.some(isRunning),
  ).length
  return { of: shown, run, stop, stopAll, stopWaiting, forget, costOf, usage, running, attemptsMax }
}
