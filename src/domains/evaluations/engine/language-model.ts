import type { ProjectReader, ProjectWriter } from '../../access/index.ts'

/**
 * A request to a language model: `params` as named by providers (`temperature`, `max_tokens`, …).
 */
export interface ModelRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly params: Readonly<Record<string, unknown>>
}

/** The message of the first choice with token usage by model, or an error. */
export type ModelAnswer =
  | { readonly message: Message; readonly usage: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** Access to language model providers, including keys, retries and timeouts. */
export interface LanguageModels {
  complete(writer: ProjectWriter, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /**
   * Messages of a stored prompt. @throws DomainError InvalidRequest if the prompt does not exist
   */
  promptMessages(reader: ProjectReader, prompt: string): Promise<readonly Message[]>
  /**
   * Replaces placeholders in messages, except those of the assistant: `{{name}}` in the format
   * `mustache`, else `{name}`. @throws DomainError InvalidRequest for a missing value
   */
  fill(
    messages: readonly Message[],
    values: Readonly<Record<string, unknown>>,
    format?: 'mustache' | 'braces',
  ): readonly Message[]
}

export type Message = Readonly<Record<string, unknown>>
