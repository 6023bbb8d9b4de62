import type { SnippetStep } from './snippet.ts'

/** Kind of a piece of code; `filled` is a value of this server. */
type TokenKind = 'plain' | 'keyword' | 'string' | 'name' | 'comment' | 'filled'

/** A piece of code. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

const keywords: Readonly<Record<SnippetStep['language'], string>> = {
  python: 'import|from|def|return|with|as|@[\\w.]+',
  typescript: 'import|from|await|async|function|return|const|new|as',
  shell: 'export|curl|pip|npm|python|otelcol|claude|(?<=^|\\n)tracelake',
  toml: '(?!)',
  yaml: '(?<=^|\\n)[ -]*[\\w/.-]+(?=:)',
}

/** Groups of the pattern; each is a kind of token. */
const groups = ['filled', 'keyword', 'name', 'string'] as const

/** Splits the code of a snippet: enough to read it well, no more. */
export function highlight(code: string, language: SnippetStep['language'], filled: readonly string[]): Token[] {
  const values = filled
    .filter(Boolean)
    .map((value) => RegExp.escape(value))
    .join('|')
  const parts = [
    values && `(?<filled>${values})`,
    `(?<keyword>${language === 'yaml' ? '(?!)' : `(?<![\\w.-])(?:${keywords[language]})(?![\\w-])`})`,
    `(?<name>${language === 'yaml' ? keywords.yaml : '\\b[a-z]\\w*(?=\\()'})`,
    language === 'shell' ? '' : `(?<string>"[^"\\n]*"|'[^'\\n]*')`,
  ]
  const pattern = new RegExp(parts.filter(Boolean).join('|'), 'g')
  const tokens: Token[] = []
  let at = 0
  for (const match of code.matchAll(pattern)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: code.slice(at, match.index) })
    const kind = groups.find((group) => match.groups?.[group] !== undefined) ?? 'plain'
    if (kind === 'string') tokens.push(...withFilled(match[0], values))
    else tokens.push({ kind, text: match[0] })
    at = match.index + match[0].length
  }
  if (at < code.length) tokens.push({ kind: 'plain', text: code.slice(at) })
  return tokens
}

/** A string that holds a value of this server, in its parts. */
function withFilled(text: string, values: string): Token[] {
  if (values === '') return [{ kind: 'string', text }]
  return text
    .split(new RegExp(`(${values})`))
    .filter(Boolean)
    .map((part) => ({ kind: new RegExp(`^(?:${values})$`).test(part) ? 'filled' : 'string', text: part }))
}
