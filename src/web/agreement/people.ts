import { type ListedQueue, personOf } from '../review/queues.ts'

/** Names people of a queue: their keys or accounts, or their ids where those are gone. */
export const nameIn = ({ progress: { reviewers } }: Pick<ListedQueue, 'progress'>) => {
  const names = new Map(reviewers.map(({ user_id, name }) => [user_id, name]))
  return (userId: string): string => {
    const shown = personOf(userId)
    return shown === userId ? (names.get(userId) ?? shown) : shown
  }
}
