import { conventionTables, type Place } from './conventions.ts'

/** Name of messages that came as events of several names. */
export const eventMessagesName = 'events.gen_ai.messages'

/** Name under which the events of a name are kept. */
export const eventName = (event: string): string => `events.${event}`

function namesOf(place: Place): string[] {
  if ('path' in place) return [place.name]
  if ('messages' in place) return [eventMessagesName, ...[...place.messages].map(eventName)]
  if ('recorded' in place) return [place.recorded.name]
  return [place.attribute?.name ?? eventName(place.event)]
}

/** Names under which ingested spans keep their payload in the inputs and the output of a call. */
export const payloadNames: ReadonlySet<string> = new Set(
  [...conventionTables.inputs, ...conventionTables.output].flatMap(namesOf),
)
