import { conventionTables, type Place } from './conventions.ts'

const nameOf = (place: Place): string =>
  'event' in place ? (place.attribute?.name ?? `events.${place.event}`) : place.name

/** Names under which ingested spans keep their payload in the inputs and the output of a call. */
export const payloadNames: ReadonlySet<string> = new Set(
  [...conventionTables.inputs, ...conventionTables.output].map(nameOf),
)
