import { kindOf } from '../../formats/dialect/feedback-type.ts'
import { findRef } from '../../formats/dialect/parsed-ref.ts'
import { assertNever, DomainError, quoted } from '../../lib/errors.ts'
import { mergeObjects } from '../../lib/json-value.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import type { ProjectReader } from '../access/index.ts'
import { schemaFault } from '../scoring/index.ts'
import type { FeedbackCreate } from './model/feedback.ts'

/** Objects of a project that feedback refers to and is validated against. */
export interface FeedbackReferences {
  /**
   * The JSON Schema for values of an annotation; undefined if the annotation spec does not exist.
   */
  findAnnotationSchema(reader: ProjectReader, ref: string): Promise<unknown>
  hasQueue(reader: ProjectReader, queueId: string): Promise<boolean>
}

/** The same with a cache: for one request with many feedback items on few objects. */
export function rememberedReferences(references: FeedbackReferences): FeedbackReferences {
  const schemas = new Map<string, Promise<unknown>>()
  const queues = new Map<string, Promise<boolean>>()
  const once = <Found>(known: Map<string, Promise<Found>>, key: string, find: () => Promise<Found>) => {
    const found = known.get(key) ?? find()
    known.set(key, found)
    return found
  }
  // Project ids contain no line breaks.
  const keyOf = ({ projectId }: ProjectReader, name: string) => `${projectId}\n${name}`
  return {
    findAnnotationSchema: (reader, ref) =>
      once(schemas, keyOf(reader, ref), () => references.findAnnotationSchema(reader, ref)),
    hasQueue: (reader, id) => once(queues, keyOf(reader, id), () => references.hasQueue(reader, id)),
  }
}

type Payload = Readonly<Record<string, unknown>>
type RefMember = 'annotation_ref' | 'runnable_ref' | 'call_ref' | 'trigger_ref'

/**
 * Validates feedback by the rules of its type.
 *
 * @param type as stored
 * @returns the payload to store: the server adds emoji names to reactions
 * @throws DomainError InvalidRequest, also if the queue does not exist
 */
export async function checkFeedback(
  reader: ProjectReader,
  feedback: FeedbackCreate,
  type: string,
  references: FeedbackReferences,
): Promise<Payload> {
  checkTexts(feedback, type)
  if (feedback.queue_id && !(await references.hasQueue(reader, feedback.queue_id))) {
    const id = feedback.queue_id.slice(0, 80)
    throw new DomainError('InvalidRequest', `Queue ${id} not found or has been deleted`)
  }
  const payload = await checkByKind(reader, feedback, type, references)
  if (Buffer.byteLength(JSON.stringify(payload)) > operationLimits.feedbackPayloadBytesMax) {
    throw refused(type, `\`payload\` exceeds ${operationLimits.feedbackPayloadBytesMax} bytes`)
  }
  return payload
}

async function checkByKind(
  reader: ProjectReader,
  feedback: FeedbackCreate,
  type: string,
  references: FeedbackReferences,
): Promise<Payload> {
  const { payload } = feedback
  const rule = kindOf(type)
  switch (rule.kind) {
    case 'reaction':
      allowRefs(feedback, type, [])
      return mergeObjects(payload, await reactionOf(payload, type))
    case 'note':
      allowRefs(feedback, type, [])
      checkNote(payload, type)
      return payload
    case 'annotation':
      allowRefs(feedback, type, ['annotation_ref'])
      await checkAnnotation(reader, feedback, type, rule.name, references)
      return payload
    case 'finalAnswer':
      allowRefs(feedback, type, ['annotation_ref'])
      // Without a value, the question cannot be decided.
      if (feedback.annotation_ref && payload['value'] !== null)
        await checkAnnotation(reader, feedback, type, rule.name, references)
      return payload
    case 'runnable':
      allowRefs(feedback, type, ['runnable_ref', 'call_ref', 'trigger_ref'])
      checkRunnable(feedback, type, rule.name)
      return payload
    case 'agentMonitor':
      allowRefs(feedback, type, ['runnable_ref', 'call_ref', 'trigger_ref'])
      for (const member of ['runnable_ref', 'call_ref', 'trigger_ref'] as const) requireRef(feedback, type, member)
      return payload
    case 'agentUserFeedback':
      allowRefs(feedback, type, [])
      if (!feedback.scorer_tags?.length) throw refused(type, '`scorer_tags` is required')
      return payload
    case 'free':
      allowRefs(feedback, type, [])
      return payload
    default:
      return assertNever(rule)
  }
}

async function reactionOf({ emoji }: Payload, type: string): Promise<Payload> {
  // Imported lazily: the list of emoji names is large, and few servers need it.
  const { parseEmoji } = await import('./emoji.ts')
  const parsed = typeof emoji === 'string' ? parseEmoji(emoji) : undefined
  if (parsed === undefined) throw refused(type, '`payload.emoji` must be exactly one emoji')
  return { ...parsed }
}

function checkNote({ note }: Payload, type: string): void {
  const length = typeof note === 'string' ? [...note].length : 0
  if (length < 1 || length > operationLimits.noteCharsMax) {
    throw refused(type, `\`payload.note\` must be a string of 1 to ${operationLimits.noteCharsMax} characters`)
  }
}

async function checkAnnotation(
  reader: ProjectReader,
  feedback: FeedbackCreate,
  type: string,
  name: string,
  references: FeedbackReferences,
): Promise<void> {
  const text = requireRef(feedback, type, 'annotation_ref')
  const ref = findRef(text)
  if (ref?.kind !== 'object' || ref.projectId !== reader.projectId || ref.name !== name) {
    throw refused(type, `\`annotation_ref\` must be a ref to an object "${name}" in the same project`)
  }
  if (!Object.hasOwn(feedback.payload, 'value')) throw refused(type, '`payload.value` is required')
  const schema = await references.findAnnotationSchema(reader, text)
  if (schema === undefined) throw refused(type, `the annotation spec ${quoted(text, 200)} does not exist`)
  const fault = await schemaFault(schema, [feedback.payload['value']])
  if (fault !== undefined) throw refused(type, `\`payload.value\` does not match the annotation spec: ${fault}`)
}

function checkRunnable(feedback: FeedbackCreate, type: string, name: string): void {
  const ref = findRef(requireRef(feedback, type, 'runnable_ref'))
  if ((ref?.kind !== 'op' && ref?.kind !== 'object') || ref.name !== name) {
    throw refused(type, `\`runnable_ref\` must be a ref to an op or object "${name}"`)
  }
  if (ref.kind === 'op') requireRef(feedback, type, 'call_ref')
  if (feedback.call_ref && findRef(feedback.call_ref)?.kind !== 'call') {
    throw refused(type, '`call_ref` must be a call ref')
  }
  if (!Object.hasOwn(feedback.payload, 'output')) throw refused(type, '`payload.output` is required')
}

function requireRef(feedback: FeedbackCreate, type: string, member: RefMember): string {
  const ref = feedback[member]
  if (!ref) throw refused(type, `\`${member}\` is required`)
  return ref
}

const refMembers: readonly RefMember[] = ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref']

function allowRefs(feedback: FeedbackCreate, type: string, allowed: readonly RefMember[]): void {
  const strange = refMembers.find((member) => feedback[member] && !allowed.includes(member))
  if (strange !== undefined) throw refused(type, `\`${strange}\` is not allowed for this type`)
}

function checkTexts(feedback: FeedbackCreate, type: string): void {
  const bounded = [
    ['feedback_type', feedback.feedback_type],
    ['ext_ref', feedback.ext_ref],
  ] as const
  for (const [member, value] of bounded) {
    if (value.length === 0 || value.length > operationLimits.refCharsMax) {
      throw refused(type, `\`${member}\` must have 1 to ${operationLimits.refCharsMax} characters`)
    }
  }
  const others = ['creator', ...refMembers] as const
  for (const member of others) {
    if ((feedback[member]?.length ?? 0) > operationLimits.refCharsMax) {
      throw refused(type, `\`${member}\` must not exceed ${operationLimits.refCharsMax} characters`)
    }
  }
}

const refused = (type: string, what: string) =>
  new DomainError('InvalidRequest', `Invalid feedback of type ${quoted(type)}: ${what}`)
