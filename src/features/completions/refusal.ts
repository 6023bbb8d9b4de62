/**
 * A completion that does not happen: no key, no such provider, a prompt that does not fit. The answer is still 200, with this message
 * as `response.error`; nothing is tracked.
 */
export class CompletionRefused extends Error {
  override readonly name = 'CompletionRefused'
}

export function refuseCompletion(message: string): never {
  throw new CompletionRefused(message)
}
