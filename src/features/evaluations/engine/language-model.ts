import type { ProjectReader, ProjectWriter } from '../../../foundation/access/caller.ts'
import type { Message } from './messages.ts'

/** A request to a language model: `params` as providers name them (`temperature`, `max_tokens`, …). */
export interface ModelRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly params: Readonly<Record<string, unknown>>
}

/** What came back: the message of the first choice, and the tokens by name of the model; or why nothing did. */
export type ModelAnswer =
  | { readonly message: Message; readonly usage: Readonly<Record<string, unknown>> | undefined }
  | { readonly error: string }

/** Reaches the providers of language models, with their keys, retries and time-outs. */
export interface LanguageModels {
  complete(writer: ProjectWriter, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
  /** Messages of a stored prompt. @throws DomainError InvalidRequest where there is no such prompt */
  promptMessages(reader: ProjectReader, prompt: string): Promise<readonly Message[]>
  /** The messages with `{name}` replaced by values, except in those of the assistant. @throws DomainError InvalidRequest where one is missing */
  fill(messages: readonly Message[], values: Readonly<Record<string, unknown>>): readonly Message[]
}
