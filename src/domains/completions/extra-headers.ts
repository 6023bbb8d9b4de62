import { providerLimits } from '../../lib/limits/providers.ts'
import { refuseCompletion } from './refusal.ts'

/** Headers that belong to the connection or unlock cloud metadata services. */
const refused: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'metadata',
  'metadata-flavor',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
  'x-metadata-token',
])
const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Validates headers given in a request or object. @throws CompletionRefused */
export function checkHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(given).filter(([, value]) => value !== null)
  if (entries.length > providerLimits.extraHeadersMax)
    refuseCompletion(`Too many \`extra_headers\`: at most ${providerLimits.extraHeadersMax} are allowed`)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase()
      if (!nameForm.test(name) || refused.has(lower))
        refuseCompletion(`The header "${name}" must not be sent to a provider`)
      const text = String(value)
      if (/[^\t\x20-\x7e]/.test(text))
        refuseCompletion(`The header "${name}" contains characters that are not allowed in a header`)
      return [lower, text]
    }),
  )
}
