import type { TSchema } from '@sinclair/typebox'
import { objectInOrder } from '../../lib/json-value.ts'
import type { DialectName } from '../../runtime/config/configuration.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { type Direction, identity, type ObjectPlan, type Plan, planFor, type RequiredMember } from './plan.ts'

/**
 * Returns the value with the names of the other dialect; unchanged parts are shared with the
 * argument.
 */
export interface Rename {
  (value: unknown): unknown
  /** The same for a large value, yielding to other requests in between. */
  inTurns(value: unknown): Promise<unknown>
}

/**
 * Compiles the names in `schema` into a rename function; undefined if its values are the same in
 * both dialects. Free JSON (`Type.Unknown`, `Type.Any`, records of them) is never touched. In a
 * union, the first matching variant decides.
 */
export function compileRename(schema: TSchema, direction: Direction): Rename | undefined {
  const plan = planFor(schema, direction)
  if (plan === undefined) return undefined
  return Object.assign((value: unknown) => rename(plan, value), {
    inTurns: async (value: unknown) => await renameInTurns(plan, value, new TimeSlice()),
  })
}

/** Gives requests of a dialect their neutral names; undefined if they have them already. */
export const renameFrom = (dialect: DialectName, schema: TSchema): Rename | undefined =>
  dialect === 'ext' ? undefined : compileRename(schema, 'to neutral')

function rename(plan: Plan, value: unknown): unknown {
  switch (plan.kind) {
    case 'identity':
      return value
    case 'path':
      return typeof value === 'string' ? plan.rename(value) : value
    case 'object':
      return isObject(value) ? renameMembers(plan, value) : value
    case 'list':
      return Array.isArray(value) ? value.map((item, at) => rename(planOfItem(plan, at), item)) : value
    case 'anyOf':
      return rename(choose(plan.variants, value) ?? identity, value)
    case 'allOf':
      return plan.parts.reduce((current, part) => rename(part, current), value)
    case 'ref':
      return rename(plan.of(), value)
  }
}

/** Like `rename`. Scalars and free JSON, the bulk of a body, need no waiting. */
function renameInTurns(plan: Plan, value: unknown, slice: TimeSlice): unknown | Promise<unknown> {
  switch (plan.kind) {
    case 'identity':
    case 'path':
      return rename(plan, value)
    case 'object':
      return isObject(value) ? renameMembersInTurns(plan, value, slice) : value
    case 'list':
      return Array.isArray(value) ? renameItemsInTurns(plan, value, slice) : value
    case 'anyOf':
      return renameInTurns(choose(plan.variants, value) ?? identity, value, slice)
    case 'allOf':
      return renamePartsInTurns(plan.parts, value, slice)
    case 'ref':
      return renameInTurns(plan.of(), value, slice)
  }
}

async function renameItemsInTurns(plan: Plan & { kind: 'list' }, items: readonly unknown[], slice: TimeSlice) {
  const renamed: unknown[] = []
  for (const [at, item] of items.entries()) {
    if (slice.expired) await slice.yield()
    renamed.push(await renameInTurns(planOfItem(plan, at), item, slice))
  }
  return renamed
}

async function renameMembersInTurns(plan: ObjectPlan, value: Readonly<Record<string, unknown>>, slice: TimeSlice) {
  if (slice.expired) await slice.yield()
  const members = membersRenamed(plan, value, (part, child) => renameInTurns(part, child, slice))
  for (const member of members) if (member[1] instanceof Promise) member[1] = await member[1]
  return objectInOrder(members)
}

async function renamePartsInTurns(parts: readonly Plan[], value: unknown, slice: TimeSlice) {
  let current = value
  for (const part of parts) current = await renameInTurns(part, current, slice)
  return current
}

const planOfItem = ({ items, isTuple }: Plan & { kind: 'list' }, at: number): Plan =>
  items[isTuple ? at : 0] ?? identity

// Not by assignment: a member may be named "__proto__".
const renameMembers = (plan: ObjectPlan, value: Readonly<Record<string, unknown>>): unknown =>
  objectInOrder(membersRenamed(plan, value, rename))

function membersRenamed(
  plan: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  renameChild: (plan: Plan, child: unknown) => unknown,
): [string, unknown][] {
  const renamed: [string, unknown][] = []
  for (const [name, child] of Object.entries(value)) {
    const member = plan.members.get(name)
    const winner = plan.overruledBy.get(name)
    if (member !== undefined) {
      const keepsName = member.yields && Object.hasOwn(value, member.to)
      renamed.push([keepsName ? name : member.to, renameChild(member.plan, child)])
    } else if (winner === undefined || !Object.hasOwn(value, winner)) {
      renamed.push([name, renameChild(plan.others, child)])
    }
  }
  return renamed
}

function choose(variants: readonly Plan[], value: unknown): Plan | undefined {
  if (typeof value === 'string') return variants.find((variant) => variant.kind === 'path')
  if (typeof value !== 'object' || value === null) return undefined
  return variants.find((variant) => fits(variant, value)) ?? (isObject(value) ? closest(variants, value) : undefined)
}

/**
 * An invalid value is renamed by the variant it resembles most, so that violations use its names.
 */
function closest(variants: readonly Plan[], value: Readonly<Record<string, unknown>>): Plan | undefined {
  const objects = variants.filter((variant) => variant.kind === 'object')
  const found = objects.map(({ required }) => countPresent(required, value))
  return objects[found.indexOf(Math.max(...found))]
}

const countPresent = (required: readonly RequiredMember[], value: unknown): number =>
  isObject(value)
    ? required
        .map(({ names, inside }) => {
          const name = names.find((candidate) => Object.hasOwn(value, candidate))
          return name === undefined ? 0 : 1 + countPresent(inside, value[name])
        })
        .reduce((sum, count) => sum + count, 0)
    : 0

function fits(plan: Plan, value: object): boolean {
  switch (plan.kind) {
    case 'identity':
    case 'path':
      return false
    case 'list':
      return Array.isArray(value)
    case 'object':
      return isObject(value) && plan.required.every((member) => hasRequired(member, value))
    case 'anyOf':
      return plan.variants.some((variant) => fits(variant, value))
    case 'allOf':
      return plan.parts.every((part) => fits(part, value))
    case 'ref':
      return fits(plan.of(), value)
  }
}

function hasRequired({ names, constant, inside }: RequiredMember, value: Readonly<Record<string, unknown>>): boolean {
  const name = names.find((candidate) => Object.hasOwn(value, candidate))
  if (name === undefined) return false
  const member = value[name]
  if (constant !== undefined) return member === constant
  return inside.length === 0 || (isObject(member) && inside.every((part) => hasRequired(part, member)))
}

/** Plain objects only: forms and files are not JSON. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
