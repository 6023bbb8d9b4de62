import { isRawNumber } from '../../lib/json-value.ts'
import { limits } from '../../lib/limits.ts'
import type { ProjectReader } from '../access/caller.ts'
import { chooseEndpoint, type EndpointDependencies } from './choose-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { fillMessages } from './fill-template.ts'
import type { CompletionInputs } from './model/completions.ts'
import { promptMessages } from './prompt-messages.ts'
import { providerBody } from './provider-body.ts'
import { refuseCompletion } from './refusal.ts'

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
  if (given === undefined || given === null) return limits.completionTimeoutMs
  const seconds = Number(isRawNumber(given) ? given.rawJSON : given)
  if (!(seconds > 0)) refuseCompletion('`timeout` must be a positive number of seconds')
  return Math.min(Math.ceil(seconds * 1000), limits.completionTimeoutMaxMs)
}
