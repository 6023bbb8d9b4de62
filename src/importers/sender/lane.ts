import type { ImportRecord, ProtobufRecord, RequestRecord, Signal, Target } from '../record.ts'
import type { ServerClient } from './server-client.ts'

/** A call or feedback as JSON text. */
interface EncodedMembers {
  readonly kind: 'members'
  readonly text: string
}

/** A span, log record or metric with its resource and scope, each as JSON text. */
export interface EncodedItem {
  readonly kind: 'telemetry'
  readonly signal: Signal
  readonly resource: string
  readonly scope: string
  readonly item: string
}

type Encoded = EncodedMembers | EncodedItem | ProtobufRecord | RequestRecord

/** A record on its way, as the text or bytes of its place in a request. */
export interface Prepared {
  readonly lane: Lane
  /** Kind of the counted records: `calls`, `feedback`. */
  readonly what: string
  /** Requests contain records of equal `group` only. */
  readonly group: string
  readonly bytes: number
  readonly encoded: Encoded
  /** The id by which it can be looked up on the server; undefined if it cannot. */
  readonly id: string | undefined
}

/** The result of a request. */
export interface Outcome {
  /** The whole request was refused: its records are then sent in smaller requests. */
  readonly refused?: string
  /** Some of the records were rejected. */
  readonly rejected?: { readonly count: number; readonly reason: string }
}

/** Sends the records of one kind. */
export interface Lane {
  send(client: ServerClient, records: readonly Prepared[]): Promise<Outcome>
}

/** The encoded form of the records of one lane. @throws TypeError for a record of another kind */
export const encodedAs = <Kind extends Encoded['kind']>(
  kind: Kind,
  records: readonly Prepared[],
): Extract<Encoded, { kind: Kind }>[] =>
  records.map(({ encoded }) => {
    if (!isOfKind(encoded, kind)) throw new TypeError(`A record is encoded as ${encoded.kind} instead of ${kind}`)
    return encoded
  })

const isOfKind = <Kind extends Encoded['kind']>(
  encoded: Encoded,
  kind: Kind,
): encoded is Extract<Encoded, { kind: Kind }> => encoded.kind === kind

/** Turns a record into its encoded form. */
export type Prepare<Kind extends ImportRecord['kind']> = (
  record: Extract<ImportRecord, { kind: Kind }>,
  target: Target,
) => Prepared

interface ScopedItem<Part, Item> {
  readonly resource: Part
  readonly scope: Part
  readonly item: Item
}

interface ScopedItems<Part, Item> {
  readonly resource: Part
  readonly scope: Part
  readonly items: Item[]
}

/** Neighbouring items that may share a resource and a scope, together. */
export function runsOf<Part, Item>(
  items: readonly ScopedItem<Part, Item>[],
  share: (one: Omit<ScopedItem<Part, Item>, 'item'>, other: ScopedItem<Part, Item>) => boolean,
): readonly ScopedItems<Part, Item>[] {
  const runs: ScopedItems<Part, Item>[] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last !== undefined && share(last, item)) last.items.push(item.item)
    else runs.push({ resource: item.resource, scope: item.scope, items: [item.item] })
  }
  return runs
}

/** Refusals that may be caused by one record of a request, or by its size. */
export const mayBeOneRecord = (status: number): boolean => [400, 404, 409, 413, 422].includes(status)
