import { BoundedMap } from '../../../lib/bounded-map.ts'
import { evaluate, isScoreOp, isTrialOp, summarize } from '../../../lib/evaluation-ops.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import type { CallKind } from '../../schemas/traces.ts'

/** Facts from which the kind of a call is derived. */
export interface KindHints {
  /** `kind` and `operation_name` of its attributes; null if not stated. */
  readonly stated: string | null
  readonly operation: string | null
  /** Short op name. */
  readonly op: string
  /** It reports token usage of its own, and has no children. */
  readonly isModelCall: boolean
}

/** Names of each kind in the client libraries and the OpenTelemetry conventions. */
export const kindsByName: ReadonlyMap<string, CallKind> = new Map(
  Object.entries({
    agent: 'agent',
    create_agent: 'agent',
    invoke_agent: 'agent',
    invoke_workflow: 'chain',
    plan: 'chain',
    workflow: 'chain',
    task: 'function',
    chain: 'chain',
    parser: 'function',
    prompt: 'function',
    function: 'function',
    span: 'function',
    event: 'function',
    generic: 'function',
    agent_run: 'agent',
    workflow_run: 'chain',
    workflow_step: 'chain',
    workflow_conditional: 'chain',
    workflow_parallel: 'chain',
    workflow_loop: 'chain',
    processor_run: 'function',
    chat_client: 'chain',
    advisor: 'function',
    interaction: 'agent',
    llm: 'llm',
    llm_call: 'llm',
    llm_request: 'llm',
    model_generation: 'llm',
    llm_generation: 'llm',
    model_step: 'llm',
    model_inference: 'llm',
    model_chunk: 'llm',
    chat: 'llm',
    chat_model: 'llm',
    generation: 'llm',
    completion: 'llm',
    text_completion: 'llm',
    generate_content: 'llm',
    tool: 'tool',
    execute_tool: 'tool',
    mcp: 'tool',
    mcp_tool_call: 'tool',
    tool_call: 'tool',
    'tools/call': 'tool',
    'resources/read': 'retrieval',
    'prompts/get': 'function',
    'sampling/createmessage': 'llm',
    retriever: 'retrieval',
    retrieval: 'retrieval',
    search: 'retrieval',
    memory: 'retrieval',
    memory_operation: 'retrieval',
    search_memory: 'retrieval',
    vector_store: 'retrieval',
    embedding: 'embedding',
    embeddings: 'embedding',
    reranker: 'rerank',
    rerank: 'rerank',
    guardrail: 'guardrail',
    evaluation: 'evaluation',
    eval: 'evaluation',
    evaluator: 'scorer',
    scorer: 'scorer',
    score: 'scorer',
    judge: 'scorer',
    request: 'request',
    server: 'request',
    http: 'request',
    image: 'media',
    audio: 'media',
    speech: 'media',
    transcription: 'media',
    media: 'media',
    human: 'person',
    person: 'person',
    annotation: 'person',
  } satisfies Record<string, CallKind>),
)

/** Op names of the libraries that the clients patch, and of the Vercel AI SDK. */
export const kindsByOp: readonly (readonly [RegExp, CallKind])[] = [
  [/(?:^|[._])embed(?:d|ding|dings|ddings|many|content|_content)?(?:$|[._])|\.doEmbed$/i, 'embedding'],
  [/(?:^|\.)re_?rank/i, 'rerank'],
  [/(?:^|\.)images?\.(?:generate|create|edit)|(?:^|\.)audio\.|speech|transcri(?:be|ption)/i, 'media'],
  [/chat\.completions|\.completions?\.|(?:^|\.)a?completions?(?:_create)?$|\.responses\.|(?:^|\.)responses$/i, 'llm'],
  [/\.messages\.|generate_?content|\.(?:doGenerate|doStream)$|chat_?complet|invoke_?model|\.Chat[A-Z]/i, 'llm'],
  [/(?:^|\.)ai\.toolCall$|(?:^|\.)execute_?tool|\.Tool\.|_tool$|^tool[_.]/i, 'tool'],
  [/retriev/i, 'retrieval'],
  [/guard_?rail/i, 'guardrail'],
  [/^haystack\.agent\.step\.llm$|(?:Chat|Text|^OpenAI|^HuggingFace\w*)Generator$/, 'llm'],
  [/^haystack\.agent\.step\.tool$|ToolInvoker$|^running[ -](?:\d+[ -])?tools?/, 'tool'],
  [/Embedder$/, 'embedding'],
  [/Ranker$/, 'rerank'],
  [/(?:^|[._ -])agent(?:$|[._ -])|Agent(?:$|[._ -])|Runner\.run/, 'agent'],
  [
    /\.(?:Runnable|LLMChain|Chain)|(?:^|_)chain$|^haystack\.pipeline|^ai\.(?:generate|stream)(?:Text|Object)$/i,
    'chain',
  ],
  [/^(?:GET|POST|PUT|PATCH|DELETE) /, 'request'],
]

/**
 * The kind of a call: as stated by its client, else derived from its op, else from its usage.
 * Everything else is a function.
 */
export function callKind({ stated, operation, op, isModelCall }: KindHints): CallKind {
  return (
    named(stated) ??
    named(operation) ??
    ofEvaluation(op) ??
    kindOfOp(operation ?? op) ??
    (isModelCall ? 'llm' : 'function')
  )
}

const named = (text: string | null): CallKind | undefined =>
  text === null ? undefined : kindsByName.get(text.toLowerCase())

function ofEvaluation(op: string): CallKind | undefined {
  if (op === evaluate || isTrialOp(op) || op === summarize) return 'evaluation'
  return isScoreOp(op) ? 'scorer' : undefined
}

/** Names repeat from call to call; null for those that indicate no kind. */
const knownOps = new BoundedMap<string, CallKind | null>(telemetryLimits.knownOpsMax)

function kindOfOp(op: string): CallKind | undefined {
  const known = knownOps.get(op)
  if (known !== undefined) return known ?? undefined
  const kind = kindsByOp.find(([pattern]) => pattern.test(op))?.[1]
  if (op.length <= telemetryLimits.cachedKeyCharsMax) knownOps.set(op, kind ?? null)
  return kind
}
