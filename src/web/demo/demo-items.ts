import type { BatchItem } from './batch-item.ts'
import { conversationItems } from './conversation.ts'
import { topics } from './topics.ts'

const conversations = 40
const dayMs = 24 * 60 * 60 * 1_000

/** The items of all conversations, the last of which has just ended. */
export function demoItems(projectId: string, nowMs: number): BatchItem[] {
  return Array.from({ length: conversations }, (_, index) => {
    // More and more towards now, as in a day of work.
    const beforeMs = 120_000 + dayMs * ((conversations - 1 - index) / conversations) ** 1.5
    return conversationItems(projectId, topics[index % topics.length]!, index, nowMs - beforeMs)
  }).flat()
}
