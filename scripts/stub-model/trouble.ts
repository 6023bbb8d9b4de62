/**
 * Names of models that stand for a trouble, so that a test or a reader can cause one on purpose.
 */
export const troubles = {
  'stub-error': 'answers 500',
  'stub-busy': 'answers 429',
  'stub-limited': 'answers 429 with a wait of 30 seconds',
  'stub-forbidden': 'answers 401',
  'stub-blabber': 'answers 200 with an error that repeats the key',
  'stub-redirect': 'answers 302',
  'stub-garbled': 'answers 200 with something that is not JSON',
  'stub-broken': 'streams two words, then ends in the middle of a chunk',
  'stub-slow': 'answers after ten seconds; streams a word a second',
} as const

/**
 * The refusal that `model` names, in the form of OpenAI's errors; undefined for any other
 * model.
 */
export function refusalOf(model: string, headers: Headers): Response | undefined {
  const error = (status: number, type: string, message: string, more: Record<string, string> = {}) =>
    Response.json({ error: { message, type, param: null, code: null } }, { status, headers: more })
  switch (model) {
    case 'stub-error':
      return error(500, 'server_error', 'The stub was asked to fail')
    case 'stub-busy':
      return error(429, 'rate_limit_exceeded', 'The stub was asked to be busy', { 'retry-after-ms': '1' })
    case 'stub-limited':
      return error(429, 'rate_limit_exceeded', 'The stub wants you to wait', { 'retry-after': '30' })
    case 'stub-forbidden':
      return error(401, 'invalid_request_error', 'Incorrect API key provided')
    case 'stub-blabber':
      return error(200, 'server_error', `The stub was given ${headers.get('authorization')}`)
    case 'stub-redirect':
      return new Response(null, { status: 302, headers: { location: '/elsewhere' } })
    case 'stub-garbled':
      return new Response('<html>not JSON</html>', { headers: { 'content-type': 'application/json' } })
    default:
      return undefined
  }
}
