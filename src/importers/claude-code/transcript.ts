import { isJsonObject } from '../../lib/json-value.ts'

type Members = Readonly<Record<string, unknown>>

/** A block of a message: text, thinking, a tool call or its result. */
export type Block = Members & { readonly type: string }

/** A line of a transcript that is part of the conversation. */
export interface TranscriptLine {
  readonly uuid: string
  readonly parentUuid: string | undefined
  readonly sessionId: string
  readonly role: 'user' | 'assistant'
  readonly atMs: number
  /** Part of a subagent's conversation. */
  readonly isSidechain: boolean
  /** Written by the program rather than by the user. */
  readonly isMeta: boolean
  readonly agentId: string | undefined
  readonly message: Members
  readonly blocks: readonly Block[]
  /** The subagent that a tool result comes from. */
  readonly resultOfAgent: string | undefined
  readonly about: { readonly version: string; readonly cwd: string; readonly gitBranch: string }
}

/** A line of a transcript; undefined if it is not part of the conversation. */
export function transcriptLine(value: unknown): TranscriptLine | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, message } = value
  const atMs = Date.parse(textOf(value['timestamp']) ?? '')
  const uuid = textOf(value['uuid'])
  const isMessage = (type === 'user' || type === 'assistant') && isJsonObject(message)
  if (!isMessage || uuid === undefined || Number.isNaN(atMs)) return undefined
  const result = value['toolUseResult']
  return {
    uuid,
    parentUuid: textOf(value['parentUuid']),
    sessionId: textOf(value['sessionId']) ?? 'unknown',
    role: type,
    atMs,
    isSidechain: value['isSidechain'] === true,
    isMeta: value['isMeta'] === true || value['isCompactSummary'] === true,
    agentId: textOf(value['agentId']),
    message,
    blocks: blocksOf(message['content']),
    resultOfAgent: isJsonObject(result) ? textOf(result['agentId']) : undefined,
    about: {
      version: textOf(value['version']) ?? 'unknown',
      cwd: textOf(value['cwd']) ?? '',
      gitBranch: textOf(value['gitBranch']) ?? '',
    },
  }
}

/** Kind of a line, for the count of skipped lines. */
export const lineType = (value: unknown): string =>
  isJsonObject(value) ? (textOf(value['type']) ?? 'unknown') : 'none'

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function blocksOf(content: unknown): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isBlock)
}

export const isBlock = (block: unknown): block is Block => isJsonObject(block) && typeof block['type'] === 'string'

/** The text of blocks that the user or the model wrote. */
export const plainText = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? (textOf(block['text']) ?? []) : [])).join('\n')
