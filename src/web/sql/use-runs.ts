import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { sqlText } from '../text/sql.ts'
import type { ErrorPlace } from './editor.tsx'
import { rememberStatement } from './history.ts'
import { type Result, runStatement } from './run-statement.ts'
import { hasTimes, timesOf } from './time-parameters.ts'

/** Why the last statement has no rows. */
export interface Failure {
  readonly statement: string
  readonly message: string
  readonly place: ErrorPlace | undefined
  readonly suggestion: string | undefined
}

/** The last rows of a tab, and what went wrong since. */
interface Outcome {
  readonly result?: Result | undefined
  readonly failure?: Failure | undefined
}

/** The statement that runs, and what statements of each tab returned. */
export interface Runs {
  readonly outcomeOf: (tab: string) => Outcome
  /** When the running statement began; undefined if none runs. */
  readonly since: number | undefined
  readonly run: (tab: string, statement: string) => void
  readonly stop: () => void
}

/** What `$from` and `$to` are in the console, where no page gives a range. */
const lastDays = () => timesOf({ from: Date.now() - 7 * dayMs, to: Date.now() })
const dayMs = 86_400_000

/** Runs statements, one at a time; the rows of the one before stay until others arrive. */
export function useRuns(): Runs {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const change = (tab: string, changes: Outcome): void =>
    setOutcomes((before) => new Map(before).set(tab, { ...before.get(tab), ...changes }))
  const [since, setSince] = useState<number>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const stop = (): void => {
    running.current?.abort()
    running.current = undefined
    setSince(undefined)
  }
  const run = (tab: string, statement: string): void => {
    if (statement.trim() === '') return
    stop()
    const own = new AbortController()
    running.current = own
    setSince(Date.now())
    change(tab, { failure: undefined })
    rememberStatement(statement)
    runStatement(statement, own.signal, hasTimes(statement) ? lastDays() : undefined)
      .then((found) => own.signal.aborted || change(tab, { result: found }))
      .catch((error: unknown) =>
        change(tab, {
          failure: own.signal.aborted
            ? { statement, message: sqlText.stopped, place: undefined, suggestion: undefined }
            : failureOf(statement, error),
        }),
      )
      .finally(() => {
        if (running.current !== own) return
        running.current = undefined
        setSince(undefined)
      })
  }
  return { outcomeOf: (tab) => outcomes.get(tab) ?? {}, since, run, stop }
}

function failureOf(statement: string, error: unknown): Failure {
  const details = error instanceof Problem ? error.details : {}
  const { line, column, suggestion } = details
  const message = error instanceof Error ? error.message : String(error)
  return {
    statement,
    message: error instanceof Problem && error.type === 'Overloaded' ? sqlText.tooMany : wordsOf(message),
    place: typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined,
    suggestion: typeof suggestion === 'string' ? suggestion : undefined,
  }
}

/** Words of a message of the database. */
function wordsOf(message: string): string {
  const column = /Referenced column "(.+?)" not found|does not have a column named "(.+?)"/.exec(message)
  return column ? sqlText.noColumn(column[1] ?? column[2] ?? '') : firstLine(message)
}

/** The sentence of a message, without its beginning and the lists below it. */
const firstLine = (message: string): string =>
  (message.replace(/^(?:Cannot run the statement|Binder Error|Catalog Error|Parser Error): /, '').split('\n')[0] ?? '')
    .trim()
    .replace(/^./, (letter) => letter.toUpperCase())
