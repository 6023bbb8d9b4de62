import { type JsonField, ofSpan } from '../catalog.ts'
import { all, any, constantText, type Expression, oneOfAll, textConstant, textOf, type Value } from '../expression.ts'
import { isInSpan, spanPlace, storedColumnsOf } from '../path-of-row.ts'

const needlesMax = 4

/**
 * Searches the stored text of JSON before parsing it:
 *
 *   { inputs.x = "abc" } => { contains(inputs, "abc") && inputs.x = "abc" }
 *
 * JSON is stored as `JSON.stringify` prints it, so a text without escaped characters occurs in it
 * verbatim. Descends only where unknown counts as false, because a search is never unknown.
 */
export function addTextPrefilter(where: Expression): Expression {
  if (where.kind === 'all') return all(where.items.map(addTextPrefilter))
  if (where.kind === 'any') return any(where.items.map(addTextPrefilter))
  const needles = needlesIn(where)
  if (needles === undefined || needles.texts.length > needlesMax || !needles.texts.every(standsInside)) return where
  const searches = needles.columns.flatMap((column) => {
    const input: Value = { kind: 'field', field: { kind: 'column', column, type: 'text' } }
    return needles.texts.map((text): Expression => {
      const part: Value = { kind: 'constant', constant: textConstant(text) }
      return { kind: 'contains', input, part, ignoreCase: false, prefilterOf: needles.field }
    })
  })
  return all([oneOfAll(searches), where])
}

/** The JSON columns of a condition, and texts of which at least one has to occur in one of them. */
interface Needles {
  readonly field: JsonField
  readonly columns: readonly string[]
  readonly texts: readonly string[]
}

function needlesIn(where: Expression): Needles | undefined {
  switch (where.kind) {
    case 'oneOf':
      return pair(where.value, where.constants.map(textOf))
    case 'compare': {
      if (where.comparison !== '=' || where.as !== 'text') return undefined
      return pair(where.left, [constantText(where.right)]) ?? pair(where.right, [constantText(where.left)])
    }
    case 'contains':
      return where.ignoreCase ? undefined : pair(where.input, [constantText(where.part)])
    case 'hasToken':
      return where.ignoreCase ? undefined : pair(where.input, [constantText(where.token)])
    default:
      return undefined
  }
}

function pair(value: Value, texts: readonly (string | undefined)[]): Needles | undefined {
  if (value.kind !== 'cast' || value.to !== 'text' || value.input.kind !== 'field') return undefined
  const { field } = value.input
  // Contents behind refs are not part of the row's own text.
  if (field.kind !== 'json' || field.of !== undefined || field.expanded !== undefined) return undefined
  const known = texts.filter((text) => text !== undefined)
  const span = ofSpan(field)
  const place = span ?? field
  // Not every value that a span shows is in JSON.
  if (isInSpan(place) && spanPlace(place) === 'whole') return undefined
  const columns = [...storedColumnsOf(place), ...(span === undefined ? [] : [field.column])]
  return known.length === texts.length ? { field, columns, texts: known } : undefined
}

/**
 * Whether a matching text occurs in stored JSON verbatim. None of its characters may be escaped,
 * and one of them has to be specific to JSON strings: numbers and structures may be stored in
 * another spelling than they are compared in.
 */
const standsInside = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters
  !/["\\\u0000-\u001f\ud800-\udfff]/.test(text) && /[^-+0-9.eEtrufalsn[\]{},:]/.test(text)
