import { memberOf } from '../../lib/present.ts'
import { Drafts } from '../versions/drafts.ts'
import { contentOf, type Prompt, promptOf } from './prompt.ts'

/** Unsaved changes of a prompt. */
export interface Draft {
  /** Digest of the version that they start from; undefined for a prompt that is not saved yet. */
  readonly startedFrom: string | undefined
  /** Digest of the version that was the latest one when they began. */
  readonly latest: string | undefined
  readonly prompt: Prompt
}

const isDraft = (kept: unknown): kept is Draft => Array.isArray(memberOf(memberOf(kept, 'prompt'), 'messages'))

/** The unsaved changes of prompts. */
export const promptDrafts = new Drafts<Draft>({
  prefix: 'tracelake.prompt',
  read: (kept) => {
    if (!isDraft(kept)) return undefined
    const { startedFrom, latest, prompt } = kept
    // Keys of messages are those of another page.
    const keyed = promptOf({ messages: prompt.messages.map(({ role }) => ({ role })) }).messages
    const messages = prompt.messages.map((message, index) => ({ ...message, key: keyed[index]?.key ?? -index }))
    return { startedFrom, latest, prompt: { ...prompt, messages } }
  },
})

/** Whether two prompts would be stored as the same content. */
export function isSame(a: Prompt, b: Prompt): boolean {
  if (hasOtherWords(a, b)) return false
  try {
    const content = (prompt: Prompt) => sorted({ ...contentOf(prompt), description: null })
    return JSON.stringify(content(a)) === JSON.stringify(content(b))
  } catch {
    return false // A fault that somebody has just typed.
  }
}

/**
 * Whether a message has another text, which is told quickly: after most key presses one has. Parts
 * may be spaced differently and say the same.
 */
const hasOtherWords = ({ messages }: Prompt, { messages: others }: Prompt): boolean =>
  messages.length !== others.length ||
  messages.some(({ isParts, text }, at) => !isParts && others[at]?.isParts === false && others[at].text !== text)

/** With the members of objects in the order of their names, which does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, member]) => [name, sorted(member)])
}
