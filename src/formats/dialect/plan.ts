import type { TSchema } from '@sinclair/typebox'
import { toNeutralName, toNeutralPath, toVendorName, toVendorPath } from './names.ts'
import {
  elementsOf,
  fieldPathMark,
  membersOf,
  namespaceMark,
  otherMembersOf,
  partsOf,
  schemasById,
  variantsOf,
} from './schema-parts.ts'
import { spellings } from './spellings.ts'

export type Direction = 'to neutral' | 'to vendor'

/**
 * How to rename a value of some schema. `identity` is for scalars and free JSON, whose members
 * belong to the user.
 */
export type Plan =
  | { readonly kind: 'identity' }
  | { readonly kind: 'path'; readonly rename: (path: string) => string }
  | ObjectPlan
  | { readonly kind: 'list'; items: Plan[]; readonly isTuple: boolean }
  | { readonly kind: 'anyOf'; variants: Plan[] }
  | { readonly kind: 'allOf'; parts: Plan[] }
  | { readonly kind: 'ref'; readonly of: () => Plan }

export interface ObjectPlan {
  readonly kind: 'object'
  /** By the name in the value. */
  readonly members: Map<string, MemberPlan>
  /**
   * If a value has a member under both names, the one of the active dialect wins: loser → winner.
   */
  readonly overruledBy: ReadonlyMap<string, string>
  others: Plan
  /**
   * What distinguishes values of this schema from those of other variants, even if nothing in it is
   * renamed.
   */
  readonly required: readonly RequiredMember[]
}

/**
 * A member that a value must have, under its name in either dialect; with its constant value or its
 * required members, if any.
 */
export interface RequiredMember {
  readonly names: readonly string[]
  readonly constant: unknown
  readonly inside: readonly RequiredMember[]
}

interface MemberPlan {
  readonly to: string
  plan: Plan
  /** The member is among the user's own members: if both names are present, both are kept. */
  readonly yields: boolean
}

export const identity: Plan = { kind: 'identity' }

/**
 * The plan for values of `schema`, without branches in which nothing is renamed; undefined if
 * nothing is renamed at all.
 */
export function planFor(schema: TSchema, direction: Direction): Plan | undefined {
  const plan = new Planner(schema, direction).plan(schema)
  if (!renamesAnything(plan)) return undefined
  prune(plan, new Set())
  return plan
}

class Planner {
  private readonly byId: ReadonlyMap<string, TSchema>
  private readonly started = new Map<string, Plan | undefined>()
  private readonly names: Names

  constructor(root: TSchema, direction: Direction) {
    this.byId = schemasById(root)
    this.names = namesFor[direction]
  }

  plan(schema: TSchema): Plan {
    const id = schema['$id']
    if (typeof id !== 'string') return this.planOf(schema)
    if (this.started.has(id)) return { kind: 'ref', of: () => this.started.get(id) ?? identity }
    this.started.set(id, undefined)
    const plan = this.planOf(schema)
    this.started.set(id, plan)
    return plan
  }

  private planOf(schema: TSchema): Plan {
    const target = typeof schema['$ref'] === 'string' ? this.byId.get(schema['$ref']) : undefined
    if (target !== undefined) return this.plan(target)
    const variants = variantsOf(schema)
    if (variants !== undefined) return { kind: 'anyOf', variants: variants.map((variant) => this.plan(variant)) }
    const parts = partsOf(schema)
    if (parts !== undefined) return { kind: 'allOf', parts: parts.map((part) => this.plan(part)) }
    if (schema['type'] === 'array') return this.planOfList(schema)
    if (schema['type'] === 'object') return this.planOfObject(schema)
    return schema[fieldPathMark] === true ? { kind: 'path', rename: this.names.path } : identity
  }

  private planOfList(schema: TSchema): Plan {
    const elements = elementsOf(schema)
    if (Array.isArray(schema['items']))
      return { kind: 'list', isTuple: true, items: elements.map((each) => this.plan(each)) }
    const [element] = elements
    return { kind: 'list', isTuple: false, items: [element === undefined ? identity : this.plan(element)] }
  }

  private planOfObject(schema: TSchema): Plan {
    const members = new Map<string, MemberPlan>()
    for (const [name, member] of Object.entries(membersOf(schema) ?? {})) {
      members.set(this.names.from(name), { to: this.names.to(name), plan: this.plan(member), yields: false })
    }
    if (schema[namespaceMark] === true) {
      const { from, to } = this.names.namespace
      members.set(from, { to, plan: identity, yields: true })
    }
    const renamed = [...members].filter(([from, { to, yields }]) => from !== to && !yields)
    const overruledBy = new Map(renamed.map(([from, { to }]) => [to, from]))
    const others = otherMembersOf(schema)
    return {
      kind: 'object',
      members,
      overruledBy,
      others: others === undefined ? identity : this.plan(others),
      required: requiredOf(schema),
    }
  }
}

/** Does not follow references, so it terminates. */
function requiredOf(schema: TSchema): RequiredMember[] {
  const required: readonly string[] = schema['required'] ?? []
  return required.map((name) => {
    const member = membersOf(schema)?.[name]
    const inside = member === undefined ? [] : requiredOf(member)
    return { names: [name, toVendorName(name)], constant: member?.['const'], inside }
  })
}

interface Names {
  /** The name of a schema member in the value before and after renaming. */
  readonly from: (name: string) => string
  readonly to: (name: string) => string
  readonly path: (path: string) => string
  readonly namespace: { readonly from: string; readonly to: string }
}

const { ext, weave } = spellings
const namesFor: Readonly<Record<Direction, Names>> = {
  'to neutral': {
    from: toVendorName,
    to: toNeutralName,
    path: toNeutralPath,
    namespace: { from: weave.namespace, to: ext.namespace },
  },
  'to vendor': {
    from: (name) => name,
    to: toVendorName,
    path: toVendorPath,
    namespace: { from: ext.namespace, to: weave.namespace },
  },
}

function renamesAnything(plan: Plan, seen: Set<Plan> = new Set()): boolean {
  if (seen.has(plan)) return false
  seen.add(plan)
  if (plan.kind === 'path') return true
  if (plan.kind === 'object' && [...plan.members].some(([from, { to }]) => from !== to)) return true
  return childrenOf(plan).some((child) => renamesAnything(child, seen))
}

function childrenOf(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'identity':
    case 'path':
      return []
    case 'object':
      return [...[...plan.members.values()].map((member) => member.plan), plan.others]
    case 'list':
      return plan.items
    case 'anyOf':
      return plan.variants
    case 'allOf':
      return plan.parts
    case 'ref':
      return [plan.of()]
  }
}

function prune(plan: Plan, seen: Set<Plan>): void {
  if (seen.has(plan)) return
  seen.add(plan)
  const pruned = (child: Plan): Plan => (renamesAnything(child) ? child : identity)
  if (plan.kind === 'object') {
    for (const member of plan.members.values()) member.plan = pruned(member.plan)
    plan.others = pruned(plan.others)
  } else if (plan.kind === 'list') plan.items = plan.items.map(pruned)
  else if (plan.kind === 'allOf') plan.parts = plan.parts.map(pruned)
  // The variants of a choice are kept: each is needed to tell it from the others.
  for (const child of childrenOf(plan)) prune(child, seen)
}
