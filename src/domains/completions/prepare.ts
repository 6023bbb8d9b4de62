import { isJsonObject, isRawNumber } from '../../lib/json-value.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import type { ProjectReader } from '../access/index.ts'
import { chooseEndpoint, type EndpointDependencies } from './choose-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import type { CompletionInputs } from './model/completions.ts'
import { fillMessages, promptMessages } from './prompt-messages.ts'
import { refuseCompletion } from './provider-error.ts'

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
function providerBody(
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

/** A provider request ready to be sent. */
export interface PreparedCompletion {
  readonly endpoint: Endpoint
  readonly body: Record<string, unknown>
  readonly timeoutMs: number
}

/** Resolves provider, key and prompt, and fills in the messages. @throws CompletionRefused */
export async function prepareCompletion(
  reader: ProjectReader,
  inputs: CompletionInputs,
  isStream: boolean,
  dependencies: EndpointDependencies,
): Promise<PreparedCompletion> {
  const before = await promptMessages(reader, inputs.prompt, dependencies.objects)
  const messages = fillMessages([...before, ...(inputs.messages ?? [])], inputs.template_vars)
  const endpoint = await chooseEndpoint(reader, inputs, dependencies)
  return { endpoint, body: providerBody(inputs, messages, endpoint, isStream), timeoutMs: timeoutOf(inputs.timeout) }
}

/** `inputs.timeout` (seconds) in milliseconds. @throws CompletionRefused */
export function timeoutOf(given: unknown): number {
  if (given === undefined || given === null) return providerLimits.completionTimeoutMs
  const seconds = Number(isRawNumber(given) ? given.rawJSON : given)
  if (!(seconds > 0)) refuseCompletion('`timeout` must be a positive number of seconds')
  return Math.min(Math.ceil(seconds * 1000), providerLimits.completionTimeoutMaxMs)
}
