import { signal } from '@preact/signals'
import { memberOf } from '../../lib/present.ts'
import { contentOf, type Prompt, promptOf } from './prompt.ts'

/** Unsaved changes of a prompt. */
export interface Draft {
  /** Digest of the version that they start from; undefined for a prompt that is not saved yet. */
  readonly startedFrom: string | undefined
  /** Digest of the version that was the latest one when they began. */
  readonly latest: string | undefined
  readonly prompt: Prompt
}

const keyOf = (projectId: string, name: string): string => `tracelake.prompt ${projectId} ${name}`

/** The unsaved changes that this browser keeps of a prompt. */
export function draftOf(projectId: string, name: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(projectId, name)) ?? 'null')
    if (!isDraft(kept)) return undefined
    const { startedFrom, latest, prompt } = kept
    // Keys of messages are those of another page.
    const keyed = promptOf({ messages: prompt.messages.map(({ role }) => ({ role })) }).messages
    const messages = prompt.messages.map((message, index) => ({ ...message, key: keyed[index]?.key ?? -index }))
    return { startedFrom, latest, prompt: { ...prompt, messages } }
  } catch {
    return undefined // No storage here, or a draft of another version of this page.
  }
}

const isDraft = (kept: unknown): kept is Draft => Array.isArray(memberOf(memberOf(kept, 'prompt'), 'messages'))

/** Changes with the names of the prompts that have unsaved changes. */
const changes = signal(0)

/** Keeps unsaved changes, so that they survive a reload; undefined forgets them. */
export function keepDraft(projectId: string, name: string, draft: Draft | undefined): void {
  const key = keyOf(projectId, name)
  try {
    const wasKept = localStorage.getItem(key) !== null
    if (draft === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
    if (wasKept !== (draft !== undefined)) changes.value++
  } catch {
    // Storage is unavailable or full: the changes then last as long as the page.
  }
}

/** Names of the prompts of a project with unsaved changes; reading them subscribes. */
export function draftNames(projectId: string): readonly string[] {
  const prefix = keyOf(projectId, '')
  void changes.value
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  } catch {
    return []
  }
}

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
