import { signal } from '@preact/signals'
import { post } from '../api/client.ts'
import { placeOf } from '../state/place.ts'
import { opNameOfSpan } from './ids.ts'

const namesMax = 200
/** New names come with new versions of programs. */
const freshMs = 60_000

/** Names of spans of a project, by the names of their ops. */
const spanNames = signal<ReadonlyMap<string, string>>(new Map())
let readFor: string | undefined
let readAt = 0

/**
 * An op's name with all its characters: `chat gpt-4o` for `chat-gpt-4o`, if spans of the open
 * project have that name. They are read once such a name is shown, and components that call this
 * follow.
 */
export function wholeOpName(name: string): string {
  const whole = spanNames.value.get(name)
  if (name.includes('-')) queueMicrotask(() => readSpanNames(whole !== undefined))
  return whole ?? name
}

function readSpanNames(isKnown: boolean): void {
  const { projectId } = placeOf(location.pathname)
  const isFresh = isKnown || Date.now() - readAt < freshMs
  if (projectId === undefined || (projectId === readFor && isFresh)) return
  if (projectId !== readFor) spanNames.value = new Map()
  readFor = projectId
  readAt = Date.now()
  post<{ values: readonly { readonly value: unknown }[] }>('/calls/values', {
    project_id: projectId,
    path: 'attributes.span_name',
    limit: namesMax,
  })
    .then(({ values }) => {
      if (projectId !== readFor) return
      const names = values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
      spanNames.value = new Map(names.map((name) => [opNameOfSpan(name), name]))
    })
    // Names without some of their characters are good enough until the next reading.
    .catch(() => {})
}
