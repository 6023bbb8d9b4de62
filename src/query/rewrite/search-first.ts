import { ofSpan } from '../catalog.ts'
import { all, any, type Expression, textConstant, type Value } from '../expression.ts'

const soughtMax = 4

/**
 * Before JSON is parsed, its text is searched for what has to be in it: JSON is stored as `JSON.stringify` prints it, so a text
 * without signs that are escaped stands in it letter by letter. Only where unknown counts as false, because a search has no unknown.
 */
export function searchFirst(where: Expression): Expression {
  if (where.kind === 'all') return all(where.items.map(searchFirst))
  if (where.kind === 'any') return any(where.items.map(searchFirst))
  const sought = soughtIn(where)
  if (sought === undefined || sought.texts.length > soughtMax || !sought.texts.every(standsInside)) return where
  const searches = sought.columns.flatMap((column) => {
    const input: Value = { kind: 'field', field: { kind: 'column', column, type: 'text' } }
    return sought.texts.map((text): Expression => {
      return { kind: 'contains', input, part: { kind: 'constant', constant: textConstant(text) }, ignoreCase: false }
    })
  })
  return all([searches.length === 1 ? searches[0]! : any(searches), where])
}

/** The JSON columns of a condition, and the texts one of which one of them has to hold. */
interface Sought {
  readonly columns: readonly string[]
  readonly texts: readonly string[]
}

function soughtIn(where: Expression): Sought | undefined {
  switch (where.kind) {
    case 'oneOf':
      return pair(where.value, where.constants.map(asText))
    case 'compare': {
      if (where.comparison !== '=' || where.as !== 'text') return undefined
      return pair(where.left, [textOf(where.right)]) ?? pair(where.right, [textOf(where.left)])
    }
    case 'contains':
      return where.ignoreCase ? undefined : pair(where.input, [textOf(where.part)])
    case 'hasToken':
      return where.ignoreCase ? undefined : pair(where.input, [textOf(where.token)])
    default:
      return undefined
  }
}

function pair(value: Value, texts: readonly (string | undefined)[]): Sought | undefined {
  if (value.kind !== 'cast' || value.to !== 'text' || value.input.kind !== 'field') return undefined
  const { field } = value.input
  // What stands behind refs is not in the call's own text.
  if (field.kind !== 'json' || field.of !== undefined || field.expanded !== undefined) return undefined
  const known = texts.filter((text) => text !== undefined)
  const span = ofSpan(field)
  const columns = span === undefined ? [field.column] : [span.column, field.column]
  return known.length === texts.length ? { columns, texts: known } : undefined
}

const textOf = (value: Value): string | undefined => (value.kind === 'constant' ? asText(value.constant) : undefined)

const asText = (constant: Parameters<typeof isText>[0]): string | undefined =>
  isText(constant) ? constant.value : undefined

const isText = (constant: { type: string; value?: unknown }): constant is { type: 'text'; value: string } =>
  constant.type === 'text' && typeof constant.value === 'string'

/**
 * Whether a text that matches stands in the stored JSON as it is: nothing in it is escaped, and something in it stands inside JSON
 * strings only, so that a match cannot be a number or a structure, which may be stored in another spelling than it is compared in.
 */
const standsInside = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the signs that JSON escapes
  !/["\\\u0000-\u001f\ud800-\udfff]/.test(text) && /[^-+0-9.eEtrufalsn[\]{},:]/.test(text)
