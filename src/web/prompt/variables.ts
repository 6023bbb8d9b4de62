import type { Prompt, TemplateFormat } from './prompt.ts'

/** A piece of a text: plain, or a variable, or what looks like one and is not. */
export interface TextPiece {
  readonly kind: 'text' | 'variable' | 'unclosed' | 'odd'
  readonly text: string
  /** Name of a variable, without braces. */
  readonly name?: string
}

// The same names as the server fills in: src/lib/completion-request.ts.
const mustache = /\{\{[^\S\n]*([\p{L}_][\p{L}\p{N}_.-]*)[^\S\n]*\}\}|\{\{[^\n{}]*(?:\}\})?/gu
const braces = /\{\{|\}\}|\{([A-Za-z_]\w*)\}/g

/** Texts from this length on are split once for all that ask at a key press. */
const keptMin = 2_000
const keptMax = 8
const kept = new Map<string, readonly TextPiece[]>()

/** Splits a text into its variables and what is between them. */
export function piecesOf(text: string, format: TemplateFormat): readonly TextPiece[] {
  if (text.length < keptMin) return split(text, format)
  const key = format + text
  const pieces = kept.get(key) ?? split(text, format)
  // The pieces that were asked for last are kept.
  kept.delete(key)
  kept.set(key, pieces)
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(oldest)
  }
  return pieces
}

function split(text: string, format: TemplateFormat): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  const plain = (end: number) => {
    if (end > at) pieces.push({ kind: 'text', text: text.slice(at, end) })
  }
  for (const match of text.matchAll(format === 'mustache' ? mustache : braces)) {
    const [found, name] = match
    // In the format of SDKs a doubled brace is a brace.
    if (name === undefined && format === 'braces') continue
    plain(match.index)
    at = match.index + found.length
    if (name !== undefined) pieces.push({ kind: 'variable', text: found, name })
    else if (found.endsWith('}}')) pieces.push({ kind: 'odd', text: found })
    else {
      pieces.push({ kind: 'unclosed', text: found.slice(0, 2) })
      at = match.index + 2
    }
  }
  plain(text.length)
  return pieces
}

/** A variable that a prompt uses. */
export interface UsedVariable {
  readonly name: string
  /** Roles of the messages that use it. */
  readonly usedIn: readonly string[]
  readonly type: string
  readonly example: string
}

/** The variables of a prompt in the order of their first use. Those of assistants are text. */
export function variablesOf({ messages, format, variables }: Prompt): readonly UsedVariable[] {
  const used = new Map<string, Set<string>>()
  for (const { role, text } of messages) {
    if (role === 'assistant') continue
    for (const { name } of piecesOf(text, format)) {
      if (name === undefined) continue
      const roles = used.get(name) ?? new Set()
      used.set(name, roles.add(role))
    }
  }
  return [...used].map(([name, roles]) => {
    const { type = '', example = '' } = variables[name] ?? {}
    return { name, usedIn: [...roles], type: type || typeOfExample(example), example }
  })
}

/** Type of a variable without one, as its example looks. */
function typeOfExample(example: string): string {
  if (/^-?\d+(\.\d+)?$/.test(example)) return 'number'
  if (/^(?:true|false)$/.test(example)) return 'boolean'
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(example)) return 'date-time'
  return /^[[{]/.test(example) ? 'JSON' : 'text'
}

/** A place in a text as people count it. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** Line and column of an offset, both from 1. */
export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

/** Places of `{{` that nothing closes. */
export function unclosedIn(text: string, format: TemplateFormat): readonly TextPlace[] {
  let offset = 0
  return piecesOf(text, format).flatMap((piece) => {
    const at = offset
    offset += piece.text.length
    return piece.kind === 'unclosed' ? [placeAt(text, at)] : []
  })
}
