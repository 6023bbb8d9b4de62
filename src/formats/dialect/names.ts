import { spellings } from './spellings.ts'

const { ext, weave } = spellings

/** Members that do not follow the prefix rule `ext_` ↔ `wb_`: neutral name → vendor name. */
const irregularNames: Readonly<Record<string, string>> = {
  ext_ref: 'weave_ref',
  ext_call_id: 'weave_call_id',
  ext_type: 'weave_type',
  _ext: '_weave',
  min_required_ext_python_version: 'min_required_weave_python_version',
}

const vendorNames = new Map(Object.entries(irregularNames))
const neutralNames = new Map(Object.entries(irregularNames).map(([neutral, vendor]) => [vendor, neutral]))

/**
 * Vendor name of a declared member; names that are the same in both dialects are returned
 * unchanged.
 */
export const toVendorName = (name: string): string =>
  vendorNames.get(name) ?? (name.startsWith('ext_') ? `wb_${name.slice(4)}` : name)

/**
 * Neutral name of a declared member; names that are the same in both dialects are returned
 * unchanged.
 */
export const toNeutralName = (name: string): string =>
  neutralNames.get(name) ?? (name.startsWith('wb_') ? `ext_${name.slice(3)}` : name)

/** Every spelling of a declared member, the neutral one first. */
export const spellingsOf = (name: string): readonly string[] => [...new Set([name, toVendorName(name)])]

/**
 * Neutral form of a field path in a query (`summary.weave.status`, `wb_user_id`); accepts both
 * spellings.
 */
export const toNeutralPath = (path: string): string => mapPath(path, weave.namespace, ext.namespace, toNeutralName)

/** Vendor form of a field path. */
export const toVendorPath = (path: string): string => mapPath(path, ext.namespace, weave.namespace, toVendorName)

function mapPath(path: string, from: string, to: string, mapName: (name: string) => string): string {
  const dot = path.indexOf('.')
  if (dot === -1) return mapName(path)
  const head = path.slice(0, dot)
  const namespace = head === 'summary' || head === 'attributes' ? `${head}.${from}` : undefined
  if (namespace !== undefined && (path === namespace || path.startsWith(`${namespace}.`))) {
    return `${head}.${to}${path.slice(namespace.length)}`
  }
  return mapName(head) + path.slice(dot)
}

/** Translates the names of members and built-in feedback types in a message to the vendor's. */
export const toVendorText = (text: string): string =>
  text
    .replace(/\bext_(?:user_ids?|username|run_ids?|run_step(?:_end)?|ref|call_id)\b/g, toVendorName)
    .replace(
      /\bext(?=\.(?:reaction|note|annotation|runnable|agent_monitor|agent_user_feedback)\b)/g,
      weave.feedbackPrefix,
    )

/** `members` under their neutral names, whichever dialect they were written in; values are kept. */
export const inNeutralNames = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [toNeutralName(name), value]))
