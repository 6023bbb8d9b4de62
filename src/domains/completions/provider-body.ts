import { isJsonObject } from '../../lib/json-value.ts'
import type { Endpoint } from './endpoint.ts'
import type { CompletionInputs } from './model/completions.ts'

/** Members meant for this server, or set by it. */
const ownMembers: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'prompt',
  'template_vars',
  'vertex_credentials',
  'extra_headers',
  'api_key',
  'api_version',
  'timeout',
  'stream',
])

/**
 * The body sent to the provider: the client's members under the provider's names, without null
 * members.
 */
export function providerBody(
  inputs: CompletionInputs,
  messages: readonly unknown[],
  endpoint: Endpoint,
  isStream: boolean,
): Record<string, unknown> {
  const given = Object.entries(inputs)
    .filter(([name, value]) => value !== null && value !== undefined && !ownMembers.has(name))
    .map(([name, value]) => [endpoint.renamed[name] ?? name, value] as const)
  const body: Record<string, unknown> = { model: endpoint.model, messages, ...Object.fromEntries(given) }
  if (!isStream) {
    delete body['stream_options']
    return body
  }
  const options = isJsonObject(body['stream_options']) ? body['stream_options'] : {}
  if (endpoint.sendsUsageUnasked) delete body['stream_options']
  else body['stream_options'] = { ...options, include_usage: true }
  return { ...body, stream: true }
}
