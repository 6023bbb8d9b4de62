import { isDeepStrictEqual } from 'node:util'
import { normaliseMessages } from '../../src/formats/mapping/messages/normalise.ts'
import { spanToCall } from '../../src/formats/mapping/spans/span-to-call.ts'
import type { CompletedCall } from '../../src/formats/schemas/calls.ts'
import type { CallMessages } from '../../src/formats/schemas/messages.ts'
import type { Span } from '../../src/formats/wire/otlp/span.ts'

/** A document of a JSON schema of the GenAI semantic conventions, and whether it is valid. */
export interface SchemaCase {
  readonly schema: string
  readonly document: unknown
  readonly isValid: boolean
}

type Shown = CallMessages
interface Stored {
  readonly call: CompletedCall
  readonly shown: Shown
}

interface Rule {
  readonly attribute: string
  /** What of the call holds the document. */
  readonly kept: (call: CompletedCall) => unknown
  /** Faults in how a valid document is shown. */
  readonly faults?: (document: unknown, stored: Stored) => string[]
}

const user = '[{"role":"user","parts":[{"type":"text","content":"?"}]}]'
const inInputs = (name: string) => (call: CompletedCall) => (call.inputs as Record<string, unknown>)[name]
const inOutput = (name: string) => (call: CompletedCall) => (call.output as Record<string, unknown> | undefined)?.[name]
const inAttributes = (name: string) => (call: CompletedCall) => (call.attributes as Record<string, unknown>)[name]

const rules: Readonly<Record<string, Rule>> = {
  'gen-ai-input-messages.json': {
    attribute: 'gen_ai.input.messages',
    kept: inInputs('gen_ai.input.messages'),
    faults: (document, { shown }) => messageFaults(document, shown, 'inputs'),
  },
  'gen-ai-output-messages.json': {
    attribute: 'gen_ai.output.messages',
    kept: inOutput('gen_ai.output.messages'),
    faults: (document, { shown }) => messageFaults(document, shown, 'output'),
  },
  'gen-ai-system-instructions.json': {
    attribute: 'gen_ai.system_instructions',
    kept: inAttributes('system'),
    faults: (document, { shown }) => {
      const parts = shown.messages.find(({ role }) => role === 'system')?.parts ?? []
      return parts.length === (document as unknown[]).length ? [] : [`${parts.length} parts of instructions are shown`]
    },
  },
  'gen-ai-tool-definitions.json': {
    attribute: 'gen_ai.tool.definitions',
    kept: inAttributes('tools'),
    faults: (document, { shown }) => {
      const names = (document as { name: string }[]).map(({ name }) => name)
      const found = shown.tools.map(({ name }) => name)
      return isDeepStrictEqual(found, names) ? [] : [`the tools ${JSON.stringify(found)} are shown`]
    },
  },
  'gen-ai-tool-call-arguments.json': {
    attribute: 'gen_ai.tool.call.arguments',
    kept: inInputs('gen_ai.tool.call.arguments'),
  },
  'gen-ai-tool-call-result.json': { attribute: 'gen_ai.tool.call.result', kept: inOutput('gen_ai.tool.call.result') },
  'gen-ai-retrieval-documents.json': {
    attribute: 'gen_ai.retrieval.documents',
    kept: inOutput('gen_ai.retrieval.documents'),
  },
  'gen-ai-memory-records.json': { attribute: 'gen_ai.memory.records', kept: inOutput('gen_ai.memory.records') },
}

/**
 * What is wrong with how a span with the document is stored and shown; undefined if there is no
 * rule for its schema. Valid or not, a document is kept as it is, sent as JSON text or as a value;
 * a valid one is also understood.
 */
export function faultsOf({ schema, document, isValid }: SchemaCase): string[] | undefined {
  const rule = rules[schema]
  if (rule === undefined) return undefined
  const faults: string[] = []
  // A text is sent as it is: its JSON text would be another one.
  for (const value of typeof document === 'string' ? [document] : [document, JSON.stringify(document)]) {
    const form = value === document ? 'a value' : 'JSON text'
    const stored = store(rule.attribute, value)
    if (!isDeepStrictEqual(plain(rule.kept(stored.call)), plain(parsed(document))))
      faults.push(`sent as ${form}, it is not kept`)
    if (isValid) faults.push(...(rule.faults?.(document, stored) ?? []).map((fault) => `sent as ${form}: ${fault}`))
  }
  return faults
}

/** JSON objects and lists inside a text are stored as such. */
function parsed(document: unknown): unknown {
  try {
    return typeof document === 'string' ? JSON.parse(document) : document
  } catch {
    return document
  }
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

function store(attribute: string, value: unknown): Stored {
  const attributes: [string, unknown][] = [[attribute, value]]
  if (attribute !== 'gen_ai.input.messages') attributes.push(['gen_ai.input.messages', user])
  const isPayload = /tool\.call|retrieval|memory/.test(attribute)
  const span: Span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentId: null,
    traceState: '',
    name: 'work',
    kind: 1,
    start: { micros: 1_714_557_600_000_000, nanos: 0 },
    end: { micros: 1_714_557_601_000_000, nanos: 0 },
    attributes: isPayload ? [[attribute, value]] : attributes,
    events: [],
    links: [],
    statusCode: 0,
    statusMessage: '',
    flags: 0,
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
  }
  const call = spanToCall(span, 'acme/bot', () => {}).call as CompletedCall
  const text = (member: unknown) => (member === undefined ? null : JSON.stringify(member))
  const shown = normaliseMessages({
    inputs: text(call.inputs),
    output: text(call.output),
    attributes: text(call.attributes),
    summary: text(call.summary),
  })
  return { call, shown }
}

interface SentMessage {
  readonly role: string
  readonly parts: readonly unknown[]
}

function messageFaults(document: unknown, { messages }: Shown, source: 'inputs' | 'output'): string[] {
  const sent = document as SentMessage[]
  const shown = messages.filter((message) => message.source === source)
  if (
    !isDeepStrictEqual(
      shown.map(({ role }) => role),
      sent.map(({ role }) => role),
    )
  )
    return [`the roles ${JSON.stringify(shown.map(({ role }) => role))} are shown`]
  return sent.flatMap(({ parts }, index) =>
    parts.length === shown[index]!.parts.length
      ? []
      : [`message ${index} is shown in ${shown[index]!.parts.length} parts`],
  )
}
