import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { isoText, parseTime } from '../../../lib/time.ts'
import { type NanoTime, type Span, SpanUnreadable } from '../../wire/otlp/span.ts'
import type { AttributeName, ConventionTables, Place } from '../conventions/conventions.ts'
import { operationDetails } from '../conventions/gen-ai.ts'
import { eventMessagesName, eventName } from '../conventions/payload-names.ts'
import { attributeTree, findInTree, isGroup, parseAnyJsonText, withLists } from './attribute-tree.ts'
import { tablesFor, tablesForEntries } from './span-tables.ts'

type Tree = Readonly<Record<string, unknown>>

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A value with the name under which it is kept. */
interface Picked {
  readonly name: string
  readonly value: unknown
}

/** An event with its attributes as a tree, and the names of those that are JSON text. */
interface EventValues {
  readonly name: string
  readonly attributes: Tree
  readonly jsonNames: readonly string[]
}

function eventValues({ name, attributes }: Span['events'][number]): EventValues {
  const jsonNames: string[] = []
  return { name, attributes: attributeTree(attributes, jsonNames), jsonNames }
}

/** Attributes of a span and its events as trees, for looking up names of conventions. */
export class SpanValues {
  readonly attributes: Tree
  /** Names of the attributes that are JSON text in the span. */
  readonly jsonNames: readonly string[]
  /** In chronological order. */
  readonly events: readonly EventValues[]
  /** The names of conventions that the span can have. */
  readonly tables: ConventionTables
  /** Attributes of events that describe the operation of the span. */
  private readonly details: readonly Tree[]

  constructor(span: Span) {
    const jsonNames: string[] = []
    this.attributes = attributeTree(span.attributes, jsonNames)
    this.jsonNames = jsonNames
    this.events = span.events.map(eventValues)
    this.details = this.events.filter(({ name }) => name === operationDetails).map(({ attributes }) => attributes)
    this.tables =
      this.details.length === 0
        ? tablesForEntries(span.attributes, this.attributes)
        : tablesFor([this.attributes, ...this.details])
  }

  /** The first of `names` that the span has, as a value; null and empty text count as missing. */
  first(names: readonly AttributeName[] | undefined): unknown {
    for (const name of names ?? []) {
      const value = this.find(name)
      if (value !== undefined && value !== '') return withLists(value)
    }
    return undefined
  }

  /** The first of `names` whose value is a non-empty text or a number, as text. */
  firstText(names: readonly AttributeName[] | undefined): string | undefined {
    for (const name of names ?? []) {
      const value = this.find(name)
      if (typeof value === 'string' && value !== '') return value
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      if (isRawNumber(value)) return value.rawJSON
    }
    return undefined
  }

  /** The first of `places` that the span has. */
  pick(places: readonly Place[]): Picked | undefined {
    for (const place of places) {
      const found = 'path' in place ? this.named(place) : this.ofEvents(place)
      if (found !== undefined) return found
    }
    return undefined
  }

  private named(name: AttributeName): Picked | undefined {
    const value = this.find(name)
    return value === undefined ? undefined : { name: name.name, value: withLists(value) }
  }

  private find({ path, holdsJson, isList, isUuid }: AttributeName): unknown {
    let value = findInTree(this.attributes, path)
    for (const details of this.details) value ??= findInTree(details, path)
    if (isList && isGroup(value) && !Object.keys(value).some((name) => /^\d+$/.test(name))) return undefined
    if (isUuid && !(typeof value === 'string' && uuidPattern.test(value))) return undefined
    return holdsJson ? (parseAnyJsonText(value) ?? undefined) : value
  }

  private ofEvents(place: Exclude<Place, AttributeName>): Picked | undefined {
    if ('recorded' in place) {
      const list = this.find(place.recorded)
      const isWanted = (event: unknown): boolean =>
        isJsonObject(event) && place.names.has(String(event['event.name'])) !== place.isExcept
      const wanted = isEventList(list) ? list.filter(isWanted) : []
      return wanted.length === 0 ? undefined : { name: place.recorded.name, value: wanted }
    }
    if (this.events.length === 0) return undefined
    if ('messages' in place) return this.messages(place.messages)
    const { event, attribute } = place
    const found = this.events
      .filter(({ name }) => name === event)
      .map(({ attributes }) => (attribute === undefined ? attributes : findInTree(attributes, attribute.path)))
      .filter((value) => value !== undefined)
    return found.length === 0 ? undefined : { name: attribute?.name ?? eventName(event), value: listed(found) }
  }

  /** Messages of a single kind as their events, those of several kinds with their roles. */
  private messages(names: ReadonlySet<string>): Picked | undefined {
    const found = this.events.filter(({ name }) => names.has(name))
    const first = found[0]
    if (first === undefined) return undefined
    if (found.every(({ name }) => name === first.name))
      return { name: eventName(first.name), value: listed(found.map(({ attributes }) => attributes)) }
    const value = found.map(({ name, attributes }) => {
      const members = withLists(attributes)
      return { role: name.split('.')[1], ...(typeof members === 'object' && members) }
    })
    return { name: eventMessagesName, value }
  }
}

const listed = (values: readonly unknown[]): unknown =>
  values.length > 1 ? values.map(withLists) : withLists(values[0])

const isEventList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every((event) => isJsonObject(event) && 'event.name' in event)

/**
 * Start and end of a span in unix seconds with microsecond precision; the end is undefined while it
 * is running. A span without a start starts at its end.
 *
 * @throws SpanUnreadable if it has neither
 */
export function spanTimes(span: Span, values: SpanValues): { startedAt: number; endedAt: number | undefined } {
  const { call } = values.tables
  const endedAt = givenTime(values.first(call.get('ended_at'))) ?? seconds(span.end)
  const startedAt = givenTime(values.first(call.get('started_at'))) ?? seconds(span.start) ?? endedAt
  if (startedAt === undefined) throw new SpanUnreadable('missing start time')
  return { startedAt, endedAt }
}

const seconds = (time: NanoTime | null): number | undefined => (time === null ? undefined : time.micros / 1e6)

/** A time in an attribute: ISO 8601, integer nanoseconds, or fractional seconds. */
function givenTime(value: unknown): number | undefined {
  // Integer nanoseconds exceed the precision of a number.
  const given = isRawNumber(value) ? value.rawJSON : value
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const text = String(given).trim()
  const time = /^\d{15,20}$/.test(text) ? Number(text.slice(0, -3)) / 1e6 : Number(text)
  const micros = parseTime(Number.isFinite(time) && text !== '' ? time : text)
  return micros === undefined ? undefined : micros / 1e6
}

/** ISO 8601 in UTC with nanoseconds. */
export const nanoTimeText = ({ micros, nanos }: NanoTime): string => isoText(micros, nanos)
