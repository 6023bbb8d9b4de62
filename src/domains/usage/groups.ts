import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { isRawNumber } from '../../lib/json-value.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import type { CountableField } from '../../query/catalog.ts'
import { columnField } from '../../query/catalog.ts'
import { countableField } from '../calls/index.ts'
import type { CallStatsRequest } from './model/call-stats.ts'
import { type CallGroups, type CallStatsScope, compileTopGroups, noGroup, otherGroup } from './sql/call-statistics.ts'
import type { RolledUpRequest } from './sql/rolled-up-rows.ts'
import { compileRolledUpGroups } from './sql/rolled-up-statistics.ts'

/**
 * The field by which a request groups calls. @throws DomainError InvalidField, InvalidRequest for a
 * field that is not of the call itself
 */
export function groupFieldOf({ group_by }: CallStatsRequest): CountableField | undefined {
  if (group_by === null || group_by === undefined) return undefined
  return group_by === 'model' ? columnField('usage_model') : countableField('Group calls by', group_by)
}

interface GroupsRead {
  readonly snapshot: Snapshot
  readonly scope: CallStatsScope
  readonly relation: Relation
  readonly rolledUp: RolledUpRequest | undefined
}

/** The groups with most calls. */
export async function topGroups(
  { snapshot, scope, relation, rolledUp }: GroupsRead,
  field: CountableField,
  { group_limit }: CallStatsRequest,
): Promise<CallGroups> {
  const limit = group_limit ?? operationLimits.statsGroupsDefault
  const sql = rolledUp ? compileRolledUpGroups(rolledUp, field, limit) : compileTopGroups(scope, relation, field, limit)
  return { field, texts: (await snapshot.rows(sql)).map(({ value }) => value) }
}

/** The places that occur, in the order of the answer; the only one without groups. */
export function placesOf(places: readonly number[], groups: CallGroups | undefined): number[] {
  if (groups === undefined) return [0]
  const special = new Set(places)
  return [...groups.texts.keys(), ...[noGroup, otherGroup].filter((place) => special.has(place))]
}

/** Members that distinguish the buckets of a group from those of others. */
export function groupMembers(
  place: number,
  groups: CallGroups | undefined,
): Record<string, string | number | boolean | null> {
  if (groups === undefined) return {}
  if (place === otherGroup) return { group: null, is_other: true }
  return { group: place === noGroup ? null : groupValue(itemAt(groups.texts, place)) }
}

/** A scalar as itself, if JSON numbers can express it; otherwise its text. */
function groupValue(text: string): string | number | boolean {
  // A long text was cut, and is no JSON then.
  if (text.startsWith('{') || text.startsWith('[')) return text
  if (text.startsWith('"'))
    return text.endsWith('"') && text.length < explorationLimits.valueCharsMax ? unquoted(text) : text
  const value = parseExactly(text)
  if (isRawNumber(value)) return value.rawJSON
  return typeof value === 'number' || typeof value === 'boolean' ? value : text
}

const unquoted = (text: string): string => JSON.parse(text)
