import { DomainError } from '../../../lib/errors.ts'
import type { ProjectReader, ProjectWriter } from '../../access/caller.ts'
import type { Completions } from '../../completions/completions.ts'
import { fillMessages } from '../../completions/fill-template.ts'
import { promptMessages } from '../../completions/prompt-messages.ts'
import type { ProviderObjects } from '../../completions/provider-objects.ts'
import { CompletionRefused } from '../../completions/refusal.ts'
import type { LanguageModels, Message, ModelAnswer, ModelRequest } from './language-model.ts'

/**
 * Language models via `completions/create`. Requests are not recorded separately, because the calls
 * of the evaluation contain them.
 */
export class ProviderModels implements LanguageModels {
  private readonly completions: Completions
  private readonly objects: ProviderObjects

  constructor(completions: Completions, objects: ProviderObjects) {
    this.completions = completions
    this.objects = objects
  }

  async complete(
    writer: ProjectWriter,
    { model, messages, params }: ModelRequest,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const inputs = { ...params, model, messages: [...messages] }
    const { message, usage, error } = await this.completions.complete(writer, { inputs, track: false }, { signal })
    if (error !== undefined || message === undefined) return { error: error ?? 'The model returned no output' }
    return { message, usage: usage === undefined ? undefined : { [model]: { requests: 1, ...usage } } }
  }

  async promptMessages(reader: ProjectReader, prompt: string): Promise<readonly Message[]> {
    return await refusedAsInvalid(() => promptMessages(reader, prompt, this.objects))
  }

  fill(messages: readonly Message[], values: Readonly<Record<string, unknown>>): readonly Message[] {
    try {
      return fillMessages(messages, values)
    } catch (cause) {
      throw asInvalid(cause)
    }
  }
}

async function refusedAsInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw asInvalid(cause)
  }
}

const asInvalid = (cause: unknown): unknown =>
  cause instanceof CompletionRefused ? new DomainError('InvalidRequest', cause.message, { cause }) : cause
