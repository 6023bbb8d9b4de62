import type { Span } from '../../model/span.ts'
import { attributeTree, findInTree, keyPath, withLists } from './attribute-tree.ts'
import type { Source } from './conventions/convention.ts'

type Tree = Readonly<Record<string, unknown>>

/** A name that was looked up before, cut at its dots once. */
const paths = new Map<string, readonly string[]>()

function pathOf(name: string): readonly string[] {
  const known = paths.get(name) ?? keyPath(name)
  // Only names in the tables of conventions come here, so the map stays small.
  paths.set(name, known)
  return known
}

/** The attributes of a span and of its events, nested, for looking up what conventions name. */
export class SpanValues {
  readonly attributes: Tree
  /** In the order in which they happened. */
  readonly events: readonly { readonly name: string; readonly attributes: Tree }[]

  constructor(span: Span) {
    this.attributes = attributeTree(span.attributes)
    this.events = span.events.map(({ name, attributes }) => ({ name, attributes: attributeTree(attributes) }))
  }

  /** The first of `names` that the span has, as a value; null counts as absent. */
  first(names: readonly string[]): unknown {
    for (const name of names) {
      const value = findInTree(this.attributes, pathOf(name))
      if (value !== undefined) return withLists(value)
    }
    return undefined
  }

  /** The first of `names` whose value is a text that is not empty, or a number, as text. */
  firstText(names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = findInTree(this.attributes, pathOf(name))
      if (typeof value === 'string' && value !== '') return value
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    }
    return undefined
  }

  /** The first of `sources` that the span has, with the name under which it is kept. */
  pick(sources: readonly Source[]): { readonly name: string; readonly value: unknown } | undefined {
    for (const source of sources) {
      const value = typeof source === 'string' ? this.first([source]) : this.ofEvents(source.event, source.attribute)
      if (value === undefined) continue
      const name = typeof source === 'string' ? source : (source.attribute ?? `events.${source.event}`)
      return { name, value }
    }
    return undefined
  }

  private ofEvents(name: string, attribute: string | undefined): unknown {
    if (this.events.length === 0) return undefined
    const found = this.events
      .filter((event) => event.name === name)
      .map(({ attributes }) => (attribute === undefined ? attributes : findInTree(attributes, pathOf(attribute))))
      .filter((value) => value !== undefined)
      .map(withLists)
    return found.length > 1 ? found : found[0]
  }
}
