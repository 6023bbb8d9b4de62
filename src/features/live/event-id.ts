/** Position of a live tail: the last event it has seen. */
export interface EventPlace {
  /** Which start of the server numbered the event. */
  readonly serverEpoch: string
  readonly number: number
  /** When the server stored what the event reports, in microseconds. */
  readonly micros: number
}

/**
 * The epoch of events that were found in the store: no server was ever numbered so. Whoever goes on from such an event is sent to the
 * store again.
 */
export const storedEpoch = '00000000'

export const eventIdOf = ({ serverEpoch, number, micros }: EventPlace): string => `${serverEpoch}-${number}-${micros}`

/** Parses an event id; undefined for any other text. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, serverEpoch, number, micros] = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  if (serverEpoch === undefined) return undefined
  return { serverEpoch, number: Number(number), micros: Number(micros) }
}
