/** Position of a live tail: the last event it has seen. */
export interface EventPlace {
  /** Identifies the server process that numbered the event. */
  readonly serverEpoch: string
  readonly number: number
  /** When the server stored what the event reports, in microseconds. */
  readonly micros: number
}

/**
 * Epoch of events read from the store; no process has it. Resuming from such an event reads the
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
