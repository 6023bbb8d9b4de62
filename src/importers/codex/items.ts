import { isJsonObject } from '../../lib/json-value.ts'

type Members = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The text of a message's content. */
export function messageText({ content }: Members): string {
  if (!Array.isArray(content)) return textOf(content) ?? ''
  return content.flatMap((part) => (isJsonObject(part) ? (textOf(part['text']) ?? []) : [])).join('\n')
}

/** The arguments of a tool call: an object, its JSON text, or a free text. */
export function argumentsOf(item: Members): Record<string, unknown> {
  const given = item['arguments'] ?? item['input'] ?? item['action']
  const value = typeof given === 'string' ? parsed(given) : given
  return isJsonObject(value) ? value : { input: value ?? null }
}

/** The output of a tool, which may be JSON text with the exit code of a command. */
export function outputOf(given: unknown): { readonly output: unknown; readonly isError: boolean } {
  const value = typeof given === 'string' ? parsed(given) : given
  if (!isJsonObject(value) || !('output' in value)) return { output: value ?? null, isError: false }
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {}
  return { output: value, isError: value['success'] === false || Number(metadata['exit_code'] ?? 0) !== 0 }
}

/** Tokens of the last response. Its input tokens include cached ones. */
export function usageOf(info: unknown): Record<string, unknown> | undefined {
  const usage = isJsonObject(info) ? info['last_token_usage'] : undefined
  if (!isJsonObject(usage)) return undefined
  const { input_tokens, cached_input_tokens, output_tokens, reasoning_output_tokens, total_tokens } = usage
  const counts = {
    input_tokens,
    output_tokens,
    total_tokens,
    cache_read_input_tokens: cached_input_tokens,
    reasoning_tokens: reasoning_output_tokens,
    // States that the input includes cached tokens.
    gross_input_tokens: input_tokens,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'))
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : text
  } catch {
    return text
  }
}
