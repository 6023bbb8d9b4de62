/** Kind of a piece of a statement. */
type TokenKind = 'plain' | 'keyword' | 'name' | 'string' | 'number' | 'comment'

/** A piece of a statement. */
export interface SqlToken {
  readonly kind: TokenKind
  readonly text: string
}

/** Words of the language that completion offers and the editor marks. */
export const keywords = (
  'select from where group by order having limit offset as and or not in is null like ilike between case when then ' +
  'else end join left right full inner cross lateral on using with recursive union all distinct except intersect ' +
  'filter over partition qualify window rows range interval true false asc desc nulls first last exists cast any ' +
  'some values table pivot unpivot positional asof semi anti sample exclude replace'
).split(' ')

const pattern = new RegExp(
  [
    '(?<comment>--[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))',
    '(?<string>\'(?:[^\']|\'\')*\'?|"(?:[^"]|"")*"?|\\$\\$[\\s\\S]*?(?:\\$\\$|$))',
    '(?<number>\\b\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?\\b)',
    `(?<keyword>(?<![\\w.])(?:${keywords.join('|')})(?!\\w))`,
    '(?<name>\\b[a-z_]\\w*(?=\\())',
  ].join('|'),
  'gi',
)

/** Splits a statement into pieces that are coloured: enough to read it well. */
export function tokensOf(statement: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let at = 0
  for (const match of statement.matchAll(pattern)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: statement.slice(at, match.index) })
    tokens.push({ kind: kindOf(match.groups ?? {}), text: match[0] })
    at = match.index + match[0].length
  }
  if (at < statement.length) tokens.push({ kind: 'plain', text: statement.slice(at) })
  return tokens
}

const kinds = ['comment', 'string', 'number', 'keyword', 'name'] as const

const kindOf = (groups: Readonly<Record<string, string | undefined>>): TokenKind =>
  kinds.find((kind) => groups[kind] !== undefined) ?? 'plain'

/** The pieces of each line; one that spans lines is cut. */
export function linesOfTokens(statement: string): SqlToken[][] {
  const lines: SqlToken[][] = [[]]
  for (const { kind, text } of tokensOf(statement)) {
    const [first = '', ...rest] = text.split('\n')
    if (first !== '') lines.at(-1)?.push({ kind, text: first })
    for (const line of rest) lines.push(line === '' ? [] : [{ kind, text: line }])
  }
  return lines
}
