import type { TemplateFormat } from './prompt.ts'

/** A variable that somebody is writing. */
export interface OpenVariable {
  /** Names that continue it. */
  readonly names: readonly string[]
  /** What a name replaces, braces included. */
  readonly from: number
  readonly to: number
}

const opened = {
  mustache: /\{\{[^\S\n]*([\p{L}\p{N}_.-]*)$/u,
  braces: /(?<!\{)\{([A-Za-z0-9_]*)$/,
}
const closing = { mustache: /^[^\S\n]*\}\}/, braces: /^\}/ }

/** The variable before the caret that has no name yet, or a part of one; undefined for none. */
export function openAt(
  text: string,
  caret: number,
  format: TemplateFormat,
  names: readonly string[],
): OpenVariable | undefined {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret)
  const [found, typed] = opened[format].exec(line) ?? []
  if (found === undefined || typed === undefined) return undefined
  const wanted = typed.toLowerCase()
  const fitting = names.filter((name) => name.toLowerCase().startsWith(wanted) && name !== typed)
  if (fitting.length === 0) return undefined
  const [end = ''] = closing[format].exec(text.slice(caret)) ?? []
  return { names: fitting, from: caret - found.length, to: caret + end.length }
}

/** A variable as a text writes it. */
export const variableText = (name: string, format: TemplateFormat): string =>
  format === 'mustache' ? `{{${name}}}` : `{${name}}`
