import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { isRef } from '../../formats/dialect/ref.ts'
import { parseObject } from '../../formats/wire/exact-json.ts'
import { DomainError } from '../../lib/errors.ts'
import { isJsonObject, objectInOrder } from '../../lib/json-value.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { itemAt } from '../../lib/present.ts'
import { textIn } from '../../lib/typed-rows.ts'
import { type Conditions, expandedPathsUsedBy, type RefPlace, withExpandedFields } from '../../query/expanded-fields.ts'
import { compileTextsAt } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import { conditionsOf, type ParsedCalls } from './plan.ts'

/**
 * Resolves refs. Refs that cannot be resolved or belong to another project are missing from the
 * result.
 */
export interface RefResolver {
  resolve(reader: ProjectReader, refs: readonly string[]): Promise<ReadonlyMap<string, unknown>>
}

/** Resolves nothing, so that refs are left as they are. */
export const noRefs: RefResolver = { resolve: async () => new Map() }

/**
 * Replaces the refs at `paths` in calls (JSON texts) by what they refer to; objects get the ref as
 * member `_ref`. Shorter paths first, so that a path may lead through what a shorter one has
 * expanded. See docs/decisions/027-expanding-refs.md.
 */
export async function expandRefs(
  lines: readonly string[],
  paths: readonly (readonly string[])[],
  reader: ProjectReader,
  resolver: RefResolver,
): Promise<string[]> {
  const calls = lines.map((line) => (line.includes(':///') ? parseObject(line) : undefined))
  const changed = new Set<Members>()
  for (const path of paths) {
    const places = calls.flatMap((call) => {
      const place = call && findPlace(call, path)
      return call && place ? [{ call, place }] : []
    })
    if (places.length === 0) continue
    const values = await resolver.resolve(reader, [...new Set(places.map(({ place }) => place.ref))])
    for (const { call, place } of places) {
      const value = values.get(place.ref)
      if (value === undefined) continue
      place.holder[place.key] = isJsonObject(value)
        ? objectInOrder([...Object.entries(value), ['_ref', place.ref]])
        : value
      changed.add(call)
    }
  }
  return lines.map((line, index) => {
    const call = calls[index]
    return call !== undefined && changed.has(call) ? JSON.stringify(call) : line
  })
}

type Members = Record<string, unknown>

function findPlace(call: Members, path: readonly string[]): { holder: Members; key: string; ref: string } | undefined {
  let holder: unknown = call
  for (const key of path.slice(0, -1)) holder = isObject(holder) ? holder[key] : undefined
  const key = path.at(-1)!
  if (!isObject(holder) || !Object.hasOwn(holder, key)) return undefined
  const ref = holder[key]
  return typeof ref === 'string' && isRef(ref) ? { holder, key, ref } : undefined
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/**
 * Filters and sort keys that look through the refs at `expand_columns`, which are read and resolved
 * first. See docs/decisions/082-filters-match-refs-and-values.md.
 *
 * @throws DomainError InvalidField, InvalidRequest for columns that cannot be expanded, or too many
 *   distinct refs
 */
export async function lookThroughRefs(
  reader: ProjectReader,
  parsed: ParsedCalls,
  { store, refs }: { store: Store; refs: RefResolver },
): Promise<Conditions> {
  const conditions = conditionsOf(parsed)
  const all = parsed.refPaths.map(([column, ...path]) => ({ column: column!, path }))
  const places = expandedPathsUsedBy(conditions, all)
  if (places.length === 0) return conditions
  const found = await refsAt(parsed, places, store)
  const expansions = await Promise.all(
    places.map(async (place, index) => {
      const contents = await contentsOf(reader, itemAt(found, index), pathsBelow(place, all), refs)
      return {
        ...place,
        refs: { texts: contents.map(({ ref }) => ref) },
        values: { texts: contents.map(({ value }) => value) },
      }
    }),
  )
  return withExpandedFields(conditions, expansions)
}

/** The distinct refs at each path among the calls that match the filter. */
async function refsAt(
  { projectId, filter: where, anyOf }: ParsedCalls,
  places: readonly RefPlace[],
  store: Store,
): Promise<string[][]> {
  return await store.read([callsTable.name], { projectId }, async (snapshot) => {
    const found: string[][] = []
    const relation = await snapshot.relationWhere(callsTable.name, anyOf)
    for (const { column, path } of places) {
      const limit = queryLimits.expandedRefsMax + 1
      const sql = compileTextsAt({ relation, projectId, where, columns: [column], limit }, path)
      const texts = (await snapshot.rows(sql)).map(([text]) => textIn(text))
      if (texts.length >= limit) {
        throw new DomainError(
          'InvalidRequest',
          `Too many distinct refs at "${[column, ...path].join('.')}": at most ${queryLimits.expandedRefsMax} ` +
            'can be expanded; filter the calls further',
        )
      }
      found.push(texts.filter(isRef))
    }
    return found
  })
}

/** Paths, shortest first, at which expanded content contains further refs to look through. */
const pathsBelow = ({ column, path }: RefPlace, all: readonly RefPlace[]): (readonly string[])[] =>
  all
    .filter((other) => other.column === column && other.path.length > path.length)
    .filter((other) => path.every((segment, index) => segment === other.path[index]))
    .map((other) => other.path.slice(path.length))

/**
 * The content of refs as JSON text, with further refs in it expanded; unresolvable refs are
 * omitted.
 */
async function contentsOf(
  reader: ProjectReader,
  texts: readonly string[],
  below: readonly (readonly string[])[],
  refs: RefResolver,
): Promise<{ ref: string; value: string }[]> {
  const lines = texts.map((text) => `{"at":${JSON.stringify(text)}}`)
  const expanded = await expandRefs(lines, [['at'], ...below.map((path) => ['at', ...path])], reader, refs)
  const contents = texts.map((ref, index) => ({ ref, value: itemAt(expanded, index).slice('{"at":'.length, -1) }))
  const resolved = contents.filter((_, index) => expanded[index] !== lines[index])
  const bytes = resolved.reduce((sum, { value }) => sum + value.length, 0)
  if (bytes > queryLimits.expandedBytesMax) {
    throw new DomainError(
      'InvalidRequest',
      `The expanded refs exceed ${queryLimits.expandedBytesMax} bytes; filter the calls further`,
    )
  }
  return resolved
}
