/** Where a live tail is: the last event that it has seen. */
export interface EventPlace {
  /** Which life of the server numbered the event. */
  readonly life: string
  readonly number: number
  /** When the server took in what the event tells, microseconds. */
  readonly micros: number
}

/**
 * The life of events that were found in the store: no server was ever numbered so. Whoever goes on from such an event is sent to the
 * store again.
 */
export const pastLife = '00000000'

export const eventIdOf = ({ life, number, micros }: EventPlace): string => `${life}-${number}-${micros}`

/** The place that an event id names; undefined for any other text. */
export function parseEventId(text: string): EventPlace | undefined {
  const [, life, number, micros] = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,16})$/.exec(text) ?? []
  if (life === undefined) return undefined
  return { life, number: Number(number), micros: Number(micros) }
}
