/**
 * Where a value may be found in a span: the name of an attribute or of a group of attributes (`a`
 * for `a.b` and `a.c`), or span events.
 */
export type Source = string | ListSource | EventSource | MessageEventsSource | RecordedEventsSource

/**
 * A value, or a group with numbered members (`a.0.b`); attributes that merely share a prefix
 * (`a.name`) do not count.
 */
interface ListSource {
  readonly list: string
}

/** Attributes of the events with a name; with `attribute`, only that attribute. */
interface EventSource {
  readonly event: string
  readonly attribute?: string
}

/** Events that are one message each, in order; events of a single name are kept under that name. */
interface MessageEventsSource {
  readonly messages: readonly string[]
}

/** An attribute with a list of events like those of `MessageEventsSource`. */
interface RecordedEventsSource {
  readonly recorded: string
  /** Names of the events that count; with `isExcept`, all others count. */
  readonly names: readonly string[]
  readonly isExcept: boolean
}

/** Members of an entry of `summary.usage`. */
export type UsageMember =
  | 'input_tokens'
  | 'uncached_input_tokens'
  | 'output_tokens'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'total_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
  | 'reasoning_tokens'
  | ModalityMember

/** Parts of the input and output tokens by modality. */
type ModalityMember =
  | `${'text' | 'image' | 'audio' | 'video'}_input_tokens`
  | `${'text' | 'image' | 'audio' | 'video'}_output_tokens`

/** Members of a call's `attributes` whose name is independent of the convention. */
export type AttributeMember =
  | 'system'
  | 'kind'
  | 'model'
  | 'provider'
  | 'model_parameters'
  | 'agent_name'
  | 'agent_id'
  | 'agent_description'
  | 'agent_version'
  | 'workflow_name'
  | 'component_type'
  | 'conversation_name'
  | 'operation_name'
  | 'mcp_method'
  | 'output_type'
  | 'response_id'
  | 'finish_reasons'
  | 'time_to_first_chunk'
  | 'tools'
  | 'tool_name'
  | 'tool_type'
  | 'tool_call_id'
  | 'tool_description'
  | 'data_source_id'
  | 'prompt_name'
  | 'error_type'
  | 'user_id'
  | 'tags'
  | 'metadata'

/** Other members of a call that an attribute may set. */
export type CallMember =
  | 'display_name'
  | 'thread_id'
  | 'is_turn'
  | 'run_id'
  | 'run_step'
  | 'run_step_end'
  | 'started_at'
  | 'ended_at'
  | 'attributes'

type Names<Member extends string> = Readonly<Partial<Record<Member, readonly string[]>>>

/**
 * Names used by one family of instrumentations, as tables without logic. In each list the first
 * name present in a span counts; precedence between conventions is defined in `conventions.ts`.
 */
export interface Convention {
  readonly inputs?: readonly Source[]
  readonly output?: readonly Source[]
  readonly usage?: Names<UsageMember>
  readonly attributes?: Names<AttributeMember>
  /** Present in spans whose usage other spans report too, so that it does not count. */
  readonly usageElsewhere?: readonly string[]
  /** Conversation id of a span. */
  readonly conversation?: readonly string[]
  /** The same, if the value is a UUID. */
  readonly conversationIfUuid?: readonly string[]
  /** All values are JSON texts, including strings: `"gpt-4o"` with quotes. */
  readonly valuesAreJson?: true
  readonly call?: Names<CallMember>
  /** Counts only in spans that have attributes with this prefix: the part before the first dot. */
  readonly onlyWith?: string
}
