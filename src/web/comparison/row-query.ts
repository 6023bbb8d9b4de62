/**
 * The query of a filter over the columns of the rows: conditions joined by `and`, such as `tag =
 * cabin-change and tier > 2`, where `~` asks for a part of a text. Other words are looked for in
 * all columns.
 *
 * @returns undefined for no filter
 */
export function rowQueryOf(text: string, columns: readonly string[]): unknown {
  if (text.trim() === '') return undefined
  const conditions = text
    .split(/\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/i)
    .map((part) => conditionOf(part.trim(), columns))
  return { $expr: conditions.length === 1 ? conditions[0] : { $and: conditions } }
}

function conditionOf(part: string, columns: readonly string[]): unknown {
  const [, name = '', operator = '', value = ''] = /^([^=<>~!]+?)\s*(!=|>=|<=|=|>|<|~)\s*(.*)$/s.exec(part) ?? []
  if (name === '') {
    const all = columns.map((column) => contains(fieldOf(column), unquoted(part)))
    return all.length === 1 ? all[0] : { $or: all.length === 0 ? [contains('outputs', unquoted(part))] : all }
  }
  const field = fieldOf(name)
  const wanted = unquoted(value)
  switch (operator) {
    case '~':
      return contains(field, wanted)
    case '!=':
      return { $not: [equals(field, wanted)] }
    case '=':
      return equals(field, wanted)
    default: {
      const operands = [{ $getField: field }, { $literal: numberOr(wanted) }]
      if (operator === '>') return { $gt: operands }
      if (operator === '>=') return { $gte: operands }
      const other = operator === '<' ? '$gte' : '$gt'
      return { $not: [{ [other]: operands }] }
    }
  }
}

/** A column; `scores.…` and `outputs.…` are those of the runs. */
const fieldOf = (name: string): string => (/^(?:scores|outputs?|inputs)(?:\.|$)/.test(name) ? name : `inputs.${name}`)

const contains = (field: string, text: string) => ({
  $contains: { input: { $getField: field }, substr: { $literal: text }, case_insensitive: true },
})

/** A value, or a list that has it, such as the tags of a row. */
const equals = (field: string, text: string) => ({
  $or: [
    ...[...new Set([text, numberOr(text)])].map((value) => ({ $eq: [{ $getField: field }, { $literal: value }] })),
    { $contains: { input: { $getField: field }, substr: { $literal: JSON.stringify(text) } } },
  ],
})

const numberOr = (text: string): string | number | boolean =>
  text === 'true' || text === 'false'
    ? text === 'true'
    : text.trim() !== '' && Number.isFinite(Number(text))
      ? Number(text)
      : text

const unquoted = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1) : text)
