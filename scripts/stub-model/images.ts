/** A picture of one pixel (PNG). */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The answer to a request for pictures: `n` times the same one pixel. */
export function imagesFor(request: Record<string, unknown>) {
  const count = typeof request['n'] === 'number' ? request['n'] : 1
  const promptTokens = String(request['prompt'] ?? '').split(/\s+/).length
  return {
    created: 1_735_689_600,
    data: Array.from({ length: count }, () => ({ b64_json: pixel })),
    usage: { input_tokens: promptTokens, output_tokens: count, total_tokens: promptTokens + count },
  }
}
