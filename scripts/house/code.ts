import { parseSync, Visitor } from 'oxc-parser'

/** What a TypeScript source says outside its comments and import paths. */
export interface Words {
  /** Names of variables, types and members. */
  readonly names: ReadonlySet<string>
  /** Plain texts, the fixed parts of templates, and patterns. */
  readonly texts: readonly string[]
}

/**
 * Reads the words of `source`.
 *
 * @param file its name, for the message
 * @throws Error where it is no TypeScript
 */
export function wordsOf(file: string, source: string): Words {
  const names = new Set<string>()
  const texts: string[] = []
  const paths = new Set<number>()
  const skipPath = ({ source: path }: { source: { start: number } | null }) => void (path && paths.add(path.start))
  new Visitor({
    ImportDeclaration: skipPath,
    ExportNamedDeclaration: skipPath,
    ExportAllDeclaration: skipPath,
    ImportExpression: skipPath,
    Identifier: ({ name }) => void names.add(name),
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? value.raw),
    Literal: (node) => {
      if (paths.has(node.start)) return
      if (typeof node.value === 'string') texts.push(node.value)
      else if ('regex' in node) texts.push(node.regex.pattern)
    },
  }).visit(parse(file, source))
  return { names, texts }
}

/** The texts that `source` tells apart in `case` labels. @throws Error where it is no TypeScript */
export function casesOf(file: string, source: string): ReadonlySet<string> {
  const cases = new Set<string>()
  new Visitor({
    SwitchCase: ({ test }) => {
      if (test?.type === 'Literal' && typeof test.value === 'string') cases.add(test.value)
    },
  }).visit(parse(file, source))
  return cases
}

function parse(file: string, source: string) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`Parse ${file}: ${errors[0]!.message}`)
  return program
}
