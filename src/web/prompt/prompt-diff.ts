import { diffArrays } from 'diff'
import { prettyJson } from '../diff/pretty-json.ts'
import { type SideRow, sideRows } from '../diff/side-rows.ts'
import type { Prompt, PromptMessage } from './prompt.ts'

/** Two versions of one part of a prompt: a message, or settings. */
export interface DiffBlock {
  readonly part: 'message' | 'tools' | 'settings' | 'schema' | 'variables'
  /** Role of the message; empty for other parts. */
  readonly role: string
  /** Number of the message on either side, from 1; undefined where it is not. */
  readonly left: number | undefined
  readonly right: number | undefined
  readonly rows: readonly SideRow[]
  readonly isEqual: boolean
}

/**
 * The blocks of two versions in order: messages by turn, then tools, settings, schema,
 * variables.
 */
export function promptDiff(before: Prompt, after: Prompt): readonly DiffBlock[] {
  const messages = turnsOf(before.messages, after.messages).map(([left, right]): DiffBlock => {
    const was = before.messages[left ?? -1]
    const is = after.messages[right ?? -1]
    return {
      ...blockOf('message', was && textOf(was), is && textOf(is)),
      role: (is ?? was)?.role ?? '',
      left: left === undefined ? undefined : left + 1,
      right: right === undefined ? undefined : right + 1,
    }
  })
  const others = [
    blockOf('tools', prettyJson(before.tools), prettyJson(after.tools)),
    blockOf('settings', settingsText(before), settingsText(after)),
    blockOf('schema', prettyJson(before.schema), prettyJson(after.schema)),
    blockOf('variables', variablesText(before), variablesText(after)),
  ]
  return [...messages, ...others.filter(({ rows }) => rows.length > 0)]
}

function blockOf(part: DiffBlock['part'], was = '', is = ''): DiffBlock {
  const rows = sideRows(was, is)
  return {
    part,
    role: '',
    left: undefined,
    right: undefined,
    rows,
    isEqual: rows.every(({ kind }) => kind === 'equal'),
  }
}

/** A message as it is compared: its text, then the calls it makes. */
const textOf = ({ text, toolCalls, toolCallId }: PromptMessage): string =>
  [
    ...(text === '' ? [] : [text]),
    ...toolCalls.map(({ name, arguments: given }) => `${name}(${given})`),
    ...(toolCallId === '' ? [] : [`→ ${toolCallId}`]),
  ].join('\n')

const settingsText = ({ model, settings }: Prompt): string =>
  [
    ...(model === '' ? [] : [`model: ${model}`]),
    ...Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
  ]
    .sort()
    .join('\n')

const variablesText = ({ variables }: Prompt): string =>
  Object.entries(variables)
    .map(([name, { type, example }]) => `${name}: ${[type, example].filter(Boolean).join(' ')}`)
    .sort()
    .join('\n')

type Turn = [left: number | undefined, right: number | undefined]

/** Which messages answer each other: equal ones, then those of one role between them. */
function turnsOf(before: readonly PromptMessage[], after: readonly PromptMessage[]): readonly Turn[] {
  const keyOf = (message: PromptMessage) => `${message.role}\n${textOf(message)}`
  const turns: Turn[] = []
  let left: number[] = []
  let right: number[] = []
  let leftAt = 0
  let rightAt = 0
  const flush = () => {
    turns.push(...byRole(left, right, before, after))
    left = []
    right = []
  }
  for (const { value, added, removed } of diffArrays(before.map(keyOf), after.map(keyOf)) ?? []) {
    for (const _ of value) {
      if (removed) left.push(leftAt++)
      else if (added) right.push(rightAt++)
      else {
        flush()
        turns.push([leftAt++, rightAt++])
      }
    }
  }
  flush()
  return turns
}

function byRole(
  left: readonly number[],
  right: readonly number[],
  before: readonly PromptMessage[],
  after: readonly PromptMessage[],
): readonly Turn[] {
  const turns: Turn[] = []
  let next = 0
  for (const index of left) {
    const at = right.findIndex((other, place) => place >= next && after[other]?.role === before[index]?.role)
    if (at < 0) {
      turns.push([index, undefined])
      continue
    }
    for (; next < at; next++) turns.push([undefined, right[next]])
    turns.push([index, right[at]])
    next = at + 1
  }
  for (; next < right.length; next++) turns.push([undefined, right[next]])
  return turns
}

/** Summary of the changes: the changed parts, and the size of each change. */
export function changedParts(blocks: readonly DiffBlock[]) {
  const changed = blocks.filter(({ isEqual }) => !isEqual)
  const messages = blocks.filter(({ part }) => part === 'message')
  return {
    messages: messages.filter(({ isEqual }) => !isEqual).length,
    messagesAll: messages.length,
    others: changed.filter(({ part }) => part !== 'message').map(({ part }) => part),
    isEqual: changed.length === 0,
  }
}
