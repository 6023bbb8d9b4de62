import { isRawNumber } from '../../kernel/json-value.ts'
import type { Span } from '../../wire/otlp/span.ts'
import type { AttributeName, Place } from '../conventions/conventions.ts'
import { attributeTree, findInTree, isGroup, withLists } from './attribute-tree.ts'
import { parseAnyJsonText } from './json-text.ts'

type Tree = Readonly<Record<string, unknown>>

/** Attributes of a span and its events as trees, for looking up names of conventions. */
export class SpanValues {
  readonly attributes: Tree
  /** In chronological order. */
  readonly events: readonly { readonly name: string; readonly attributes: Tree }[]

  constructor(span: Span) {
    this.attributes = attributeTree(span.attributes)
    this.events = span.events.map(({ name, attributes }) => ({ name, attributes: attributeTree(attributes) }))
  }

  /** The first of `names` that the span has, as a value; null and empty text count as missing. */
  first(names: readonly AttributeName[]): unknown {
    for (const name of names) {
      const value = this.find(name)
      if (value !== undefined && value !== '') return withLists(value)
    }
    return undefined
  }

  /** The first of `names` whose value is a non-empty text or a number, as text. */
  firstText(names: readonly AttributeName[]): string | undefined {
    for (const name of names) {
      const value = this.find(name)
      if (typeof value === 'string' && value !== '') return value
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      if (isRawNumber(value)) return value.rawJSON
    }
    return undefined
  }

  /** The first of `places` that the span has, with the name under which it is kept. */
  pick(places: readonly Place[]): { readonly name: string; readonly value: unknown } | undefined {
    for (const place of places) {
      if ('event' in place) {
        const value = this.ofEvents(place.event, place.attribute)
        if (value !== undefined) return { name: place.attribute?.name ?? `events.${place.event}`, value }
        continue
      }
      const value = this.find(place)
      if (value !== undefined) return { name: place.name, value: withLists(value) }
    }
    return undefined
  }

  private find({ path, holdsJson, isList }: AttributeName): unknown {
    const value = findInTree(this.attributes, path)
    if (isList && isGroup(value) && !Object.keys(value).some((name) => /^\d+$/.test(name))) return undefined
    return holdsJson ? (parseAnyJsonText(value) ?? undefined) : value
  }

  private ofEvents(name: string, attribute: AttributeName | undefined): unknown {
    if (this.events.length === 0) return undefined
    const found = this.events
      .filter((event) => event.name === name)
      .map(({ attributes }) => (attribute === undefined ? attributes : findInTree(attributes, attribute.path)))
      .filter((value) => value !== undefined)
      .map(withLists)
    return found.length > 1 ? found : found[0]
  }
}
