/**
 * A completion that cannot be sent: no key, unknown provider, invalid prompt. The response still
 * has status 200, with the message in `response.error`; nothing is recorded.
 */
export class CompletionRefused extends Error {
  override readonly name = 'CompletionRefused'
}

export function refuseCompletion(message: string): never {
  throw new CompletionRefused(message)
}
