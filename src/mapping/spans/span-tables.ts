import { BoundedMap } from '../../kernel/bounded-map.ts'
import { limits } from '../../limits.ts'
import { type AttributeName, type ConventionTables, conventionTables, type Place } from '../conventions/conventions.ts'
import { isGroup } from './attribute-tree.ts'

type Tree = Readonly<Record<string, unknown>>

/** A first part of names in the tables. The marks are single characters. */
interface Prefix {
  readonly mark: string
  /** For a value under this very name, which may be an object with members. */
  readonly anyMark: string
  /** By the second part of the names. */
  readonly children: Map<string, string>
}

const prefixes = new Map<string, Prefix>()
let marks = 0
const newMark = (): string => String.fromCharCode(0x100 + marks++)

for (const { path, onlyWith } of allNames()) {
  for (const first of onlyWith === undefined ? [path[0]!] : [path[0]!, onlyWith]) {
    if (!prefixes.has(first)) prefixes.set(first, { mark: newMark(), anyMark: newMark(), children: new Map() })
  }
  const { children } = prefixes.get(path[0]!)!
  if (path.length > 1 && !children.has(path[1]!)) children.set(path[1]!, newMark())
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
const known = new BoundedMap<string, ConventionTables>(limits.cachedPrefixSetsMax)

/** The tables without the names that a span cannot have. @param trees its attributes */
export function tablesFor(trees: readonly Tree[]): ConventionTables {
  let key = ''
  for (const tree of trees) {
    for (const name in tree) {
      const prefix = prefixes.get(name)
      if (prefix === undefined) continue
      key += prefix.mark
      const value = tree[name]
      if (!isGroup(value)) key += prefix.anyMark
      else for (const child in value) key += prefix.children.get(child) ?? ''
    }
  }
  const found = known.get(key)
  if (found !== undefined) return found
  const tables = tablesOf(new Set(key))
  known.set(key, tables)
  return tables
}

function tablesOf(present: ReadonlySet<string>): ConventionTables {
  const isPossible = ({ path, onlyWith }: AttributeName): boolean => {
    const { mark, anyMark, children } = prefixes.get(path[0]!)!
    if (onlyWith !== undefined && !present.has(prefixes.get(onlyWith)!.mark)) return false
    return path.length === 1 ? present.has(mark) : present.has(anyMark) || present.has(children.get(path[1]!)!)
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
