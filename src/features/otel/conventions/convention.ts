/** Where a value may stand in a span: the name of an attribute or of a group of them (`a` for `a.b` and `a.c`), or a span event. */
export type Source = string | ListSource | EventSource

/** A value, or a group with numbered members (`a.0.b`); attributes that only begin alike (`a.name`) make none. */
interface ListSource {
  readonly list: string
}

/** Attributes of the events of one name; with `attribute`, that attribute alone. */
interface EventSource {
  readonly event: string
  readonly attribute?: string
}

/** Members of an entry of `summary.usage`. */
export type UsageMember =
  | 'input_tokens'
  | 'output_tokens'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'total_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
  | 'reasoning_tokens'

/** Members of a call's `attributes` that have one name here, whatever a convention calls them. */
export type AttributeMember =
  | 'system'
  | 'kind'
  | 'model'
  | 'provider'
  | 'model_parameters'
  | 'agent_name'
  | 'agent_id'
  | 'operation_name'
  | 'response_id'
  | 'finish_reasons'
  | 'tools'
  | 'tool_name'

/** What else of a call an attribute may set. */
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
 * How one family of instrumentations names things: tables, no rules. In each list the first name that a span has counts; which
 * convention goes first is settled in `conventions.ts`.
 */
export interface Convention {
  readonly inputs?: readonly Source[]
  readonly output?: readonly Source[]
  readonly usage?: Names<UsageMember>
  readonly attributes?: Names<AttributeMember>
  /** Id of the conversation that a span belongs to. */
  readonly conversation?: readonly string[]
  /** Every value is JSON in a text, also a text: `"gpt-4o"` with its quotes. */
  readonly valuesAreJson?: true
  readonly call?: Names<CallMember>
}
