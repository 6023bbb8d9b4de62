import { applyEdits, findNodeAtLocation, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser'
import { ConfigError } from '../../runtime/config/config-error.ts'
import type { FileChange, Member } from './agents.ts'

const begin = '# tracelake setup: begin'
const end = '# tracelake setup: end'

/** The text of a file after a change; the same text if it is there already. @throws ConfigError */
export function changed(text: string | undefined, change: FileChange): string {
  return change.kind === 'json' ? withMembers(text, change) : withBlock(text, change)
}

/** Settings are JSON with comments; both stay as they are elsewhere. */
function withMembers(text: string | undefined, { file, members }: FileChange & { kind: 'json' }): string {
  let next = text === undefined || text.trim() === '' ? '{}\n' : text
  checkObject(next, file)
  for (const { path, value } of members) {
    if (JSON.stringify(valueAt(next, path)) !== JSON.stringify(value)) next = withMember(next, path, value)
  }
  return next
}

/** The values that members have in a text; undefined where there is none. */
export const membersIn = (text: string | undefined, members: readonly Member[]) =>
  members.map(({ path }) => ({ path, value: text === undefined ? undefined : valueAt(text, path) }))

/** Sets members to earlier values, and removes those that had none. */
export function withEarlier(text: string, earlier: readonly Member[]): string {
  let next = text
  for (const { path, value } of earlier) next = withMember(next, path, value)
  // Objects that the change had to create are empty now.
  for (const { path } of earlier) {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const value = valueAt(next, path.slice(0, depth))
      if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
        next = withMember(next, path.slice(0, depth), undefined)
    }
  }
  return next
}

const withMember = (text: string, path: readonly string[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: formattingOf(text) }))

const formattingOf = (text: string) => ({
  insertSpaces: !/^\t/m.test(text),
  tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
  eol: text.includes('\r\n') ? '\r\n' : '\n',
})

function valueAt(text: string, path: readonly string[]): unknown {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [...path])
  return node && getNodeValue(node)
}

function checkObject(text: string, file: string): void {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== 'object') throw new ConfigError(`${file} is not a JSON object; mend it first`)
}

function withBlock(text: string | undefined, { file, lines, conflicts }: FileChange & { kind: 'block' }): string {
  const rest = withoutBlock(text ?? '')
  if (conflicts.test(rest))
    throw new ConfigError(`${file} has such settings already; merge these by hand:\n${lines.join('\n')}`)
  const block = `${[begin, ...lines, end].join('\n')}\n`
  if (rest === '') return block
  return `${rest}${rest.endsWith('\n') ? '' : '\n'}${block}`
}

/** The text without the lines that the setup has added. */
export function withoutBlock(text: string): string {
  const from = text.indexOf(`${begin}\n`)
  const to = text.indexOf(`${end}\n`)
  return from === -1 || to === -1 ? text : text.slice(0, from) + text.slice(to + end.length + 1)
}
