import { CallPages } from './call-pages.ts'
import type { CallQuestion } from './call-question.ts'

const keptMax = 6

/** Rows of the last questions, so that Back shows them at once, where they were. */
const kept = new Map<string, CallPages>()

/** The rows of a question: those that are kept, or newly read ones. */
export function pagesOf(question: CallQuestion): CallPages {
  const key = keyOf(question)
  const found = kept.get(key)
  kept.delete(key)
  const pages = found && found.state.peek() !== 'failed' ? found : new CallPages(question)
  pages.resume()
  kept.set(key, pages)
  for (const [oldest, old] of kept) {
    if (kept.size <= keptMax) break
    old.stop()
    kept.delete(oldest)
  }
  return pages
}

/** Forgets the rows of a question: the next reader reads them from the server. */
export function forgetPages(question: CallQuestion): void {
  kept.get(keyOf(question))?.stop()
  kept.delete(keyOf(question))
}

/** Forgets the rows of a project, because calls of it were changed. */
export function forgetProject(projectId: string): void {
  for (const [key, { question }] of kept) if (question.projectId === projectId) kept.delete(key)
}

const keyOf = (question: CallQuestion): string =>
  JSON.stringify(question, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
