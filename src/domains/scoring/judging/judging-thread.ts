import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { serveMessages, threadName } from '../../../runtime/platform/processes/worker-thread.ts'
import type { Judge, ScoredExample } from '../scorers/scorer.ts'

/** A task for the worker thread. Everything is JSON; numbers are preserved digit by digit. */
export type JudgingTask =
  /** Imports all dependencies of tasks; the result is null. */
  | { readonly kind: 'ready' }
  /** Checks the fields of a scorer; the result is null. */
  | { readonly kind: 'prepare'; readonly className: string; readonly fields: unknown }
  /** Scores an example. */
  | { readonly kind: 'score'; readonly className: string; readonly fields: unknown; readonly example: ScoredExample }
  /** The fault of a JSON Schema, or of a value according to it; null if there is none. */
  | { readonly kind: 'schema'; readonly schema: unknown; readonly value?: readonly [unknown] }

/**
 * A task sent to a thread. Raw numbers cannot be cloned to another thread, so it is sent as text.
 * See docs/decisions/084-judging-in-a-thread.md.
 */
export interface JudgingRequest {
  readonly id: number
  readonly task: string
}

export type JudgingAnswer =
  | { readonly id: number; readonly result: string }
  /** Why the task is invalid; may be shown to the user. */
  | { readonly id: number; readonly refused: string }
  | { readonly id: number; readonly failed: string }

/**
 * The address of this module, which runs in the worker thread. Its dependencies are imported
 * lazily, only there.
 */
export const judgingModule = import.meta.url

if (threadName === 'judging')
  serveMessages(async (request: JudgingRequest) => ({ message: await answer(request), transferred: [] }))

async function answer({ id, task }: JudgingRequest): Promise<JudgingAnswer> {
  try {
    const result = await judge(parseExactly(task) as JudgingTask)
    return { id, result: JSON.stringify(result ?? null) }
  } catch (cause) {
    if (cause instanceof DomainError) return { id, refused: cause.message }
    return { id, failed: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }
  }
}

async function judge(task: JudgingTask): Promise<unknown> {
  switch (task.kind) {
    case 'ready':
      await Promise.all([import('../scorers/scorer-classes.ts'), import('./json-schema.ts')])
      return null
    case 'prepare':
      await judgeOf(task.className, task.fields)
      return null
    case 'score': {
      const judged = await judgeOf(task.className, task.fields)
      return await judged(task.example, new AbortController().signal)
    }
    case 'schema': {
      const check = await schemaCheckOf(task.schema)
      if (check === undefined) return 'not a valid JSON Schema'
      return task.value === undefined ? null : (check(task.value[0]) ?? null)
    }
  }
}

/** Caches results that are expensive to compute; the least recently used are evicted. */
function cached<Args extends readonly unknown[], Value>(
  make: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const values = new BoundedMap<string, Promise<Value>>(operationLimits.judgesKept)
  return (...args) => {
    const key = JSON.stringify(args)
    const value = values.get(key) ?? make(...args)
    values.set(key, value)
    return value
  }
}

const judgeOf = cached(async (className: string, fields: unknown): Promise<Judge> => {
  const { scorerClasses } = await import('../scorers/scorer-classes.ts')
  const known = scorerClasses.find((candidate) => candidate.className === className)
  if (known === undefined) throw new Error(`Unknown scorer class "${className}"`)
  return await known.prepare(fields)
})

const schemaCheckOf = cached(async (schema: unknown) => {
  const { compileJsonSchema } = await import('./json-schema.ts')
  return compileJsonSchema(schema)
})
