import { feedbackPrefixes } from './spellings.ts'

/** Feedback types with their own rules; everything else is `free`. */
export type FeedbackKind =
  | { readonly kind: 'reaction' | 'note' | 'agentMonitor' | 'agentUserFeedback' | 'free' }
  /** `name` is what follows the prefix. */
  | { readonly kind: 'annotation' | 'runnable' | 'finalAnswer'; readonly name: string }

const builtIn = /^(?:reaction\.1|note\.1|agent_monitor|agent_user_feedback|(?:annotation|runnable)\..*)$/s

const finalAnswerType = /^final_answer\.(.*)$/s

/**
 * The type of the final answer to a question, in both dialects.
 *
 * @param name of its annotation spec
 */
export const finalAnswerTypeOf = (name: string): string => `final_answer.${name}`

/**
 * A feedback type as stored: built-in types start with `ext.` regardless of the dialect they came
 * in; others are user-defined.
 */
export function neutralFeedbackType(type: string): string {
  const prefix = feedbackPrefixes.find((candidate) => type.startsWith(`${candidate}.`))
  const rest = prefix === undefined ? '' : type.slice(prefix.length + 1)
  return builtIn.test(rest) ? `ext.${rest}` : type
}

/**
 * The possible stored spellings of a part of a feedback type, where built-in types start with
 * `wirePrefix`. A part that starts like a built-in type in either dialect may belong to a built-in
 * or to a user-defined type.
 */
export function feedbackTypeParts(part: string, wirePrefix: string): string[] {
  const prefix = feedbackPrefixes.find((candidate) => part.startsWith(`${candidate}.`))
  return prefix === undefined || prefix === wirePrefix ? [part] : [part, wirePrefix + part.slice(prefix.length)]
}

/** The rules for a stored feedback type. */
export function kindOf(type: string): FeedbackKind {
  switch (type) {
    case 'ext.reaction.1':
      return { kind: 'reaction' }
    case 'ext.note.1':
      return { kind: 'note' }
    case 'ext.agent_monitor':
      return { kind: 'agentMonitor' }
    case 'ext.agent_user_feedback':
      return { kind: 'agentUserFeedback' }
  }
  const finalName = finalAnswerType.exec(type)?.[1]
  if (finalName !== undefined) return { kind: 'finalAnswer', name: finalName }
  const [, kind, name] = /^ext\.(annotation|runnable)\.(.*)$/s.exec(type) ?? []
  return name !== undefined && (kind === 'annotation' || kind === 'runnable') ? { kind, name } : { kind: 'free' }
}
