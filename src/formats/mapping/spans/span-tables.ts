import { BoundedMap } from '../../../lib/bounded-map.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { valueAt } from '../../../lib/present.ts'
import type { AttributeEntries } from '../../wire/otlp/span.ts'
import { type AttributeName, type ConventionTables, conventionTables, type Place } from '../conventions/conventions.ts'
import { isGroup } from './attribute-tree.ts'

type Tree = Readonly<Record<string, unknown>>

/** A part of names in the tables, below the parts before it. The marks are single characters. */
interface Part {
  readonly mark: string
  /** For a value under this very name, which may be an object with members. */
  readonly anyMark: string
  /** By the next part of the names. */
  readonly children: Map<string, Part>
}

const firstParts = new Map<string, Part>()
let marks = 0
const newMark = (): string => String.fromCharCode(0x100 + marks++)

for (const { path, onlyWith } of allNames()) {
  let parts = firstParts
  for (const name of path) parts = partOf(parts, name).children
  if (onlyWith !== undefined) partOf(firstParts, onlyWith)
}

function partOf(parts: Map<string, Part>, name: string): Part {
  const known = parts.get(name)
  if (known !== undefined) return known
  const part: Part = { mark: newMark(), anyMark: newMark(), children: new Map() }
  parts.set(name, part)
  return part
}

function allNames(): AttributeName[] {
  const { inputs, output, usage, attributes, call, usageElsewhere } = conventionTables
  const { leadingConversations, otherConversations } = conventionTables
  const ofPlaces = [...inputs, ...output].flatMap((place) =>
    'path' in place ? [place] : 'recorded' in place ? [place.recorded] : [],
  )
  const ofMembers = [usage, attributes, call].flatMap((table) => [...table.values()].flat())
  return [...ofPlaces, ...ofMembers, ...usageElsewhere, ...leadingConversations, ...otherConversations]
}

/** Spans of an instrumentation have names with the same few beginnings. */
const known = new BoundedMap<string, ConventionTables>(telemetryLimits.cachedPrefixSetsMax)

/** Spans of one kind have the same attributes in the same order: which tables they have. */
interface Shape {
  readonly names: readonly string[]
  readonly tables: ConventionTables
}

let shapes: readonly Shape[] = []
const shapesMax = 8

/**
 * The same for the attributes of a span alone. Which groups they form, and so the tables, depends
 * on their names only.
 */
export function tablesForEntries(entries: AttributeEntries, tree: Tree): ConventionTables {
  const known = shapes.find(({ names }) => hasNames(entries, names))
  if (known !== undefined) return known.tables
  const shape = { names: entries.map(([name]) => name), tables: tablesFor([tree]) }
  shapes = [shape, ...shapes.slice(0, shapesMax - 1)]
  return shape.tables
}

function hasNames(entries: AttributeEntries, names: readonly string[]): boolean {
  if (entries.length !== names.length) return false
  for (let index = 0; index < names.length; index++) if (entries[index]?.[0] !== names[index]) return false
  return true
}

/** The tables without the names that a span cannot have. @param trees its attributes */
export function tablesFor(trees: readonly Tree[]): ConventionTables {
  let key = ''
  for (const tree of trees) key += marksOf(tree, firstParts)
  const found = known.get(key)
  if (found !== undefined) return found
  const tables = tablesOf(new Set(key))
  known.set(key, tables)
  return tables
}

function marksOf(tree: Tree, parts: ReadonlyMap<string, Part>): string {
  let found = ''
  for (const name in tree) {
    const part = parts.get(name)
    if (part === undefined) continue
    found += part.mark
    const value = tree[name]
    if (!isGroup(value)) found += part.anyMark
    else if (part.children.size > 0) found += marksOf(value, part.children)
  }
  return found
}

function tablesOf(present: ReadonlySet<string>): ConventionTables {
  const isPossible = ({ path, onlyWith }: AttributeName): boolean => {
    if (onlyWith !== undefined && !present.has(valueAt(firstParts, onlyWith).mark)) return false
    let parts = firstParts
    for (const name of path) {
      const part = valueAt(parts, name)
      if (!present.has(part.mark)) return false
      if (present.has(part.anyMark)) return true
      parts = part.children
    }
    return true
  }
  const places = (all: readonly Place[]) =>
    all.filter((place) =>
      'path' in place ? isPossible(place) : 'recorded' in place ? isPossible(place.recorded) : true,
    )
  const names = <Member extends string>(all: ReadonlyMap<Member, readonly AttributeName[]>) => {
    const possible = [...all].map(([member, list]) => [member, list.filter(isPossible)] as const)
    return new Map(possible.filter(([, list]) => list.length > 0))
  }
  return {
    inputs: places(conventionTables.inputs),
    output: places(conventionTables.output),
    usage: names(conventionTables.usage),
    attributes: names(conventionTables.attributes),
    call: names(conventionTables.call),
    usageElsewhere: conventionTables.usageElsewhere.filter(isPossible),
    leadingConversations: conventionTables.leadingConversations.filter(isPossible),
    otherConversations: conventionTables.otherConversations.filter(isPossible),
  }
}
