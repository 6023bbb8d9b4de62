import { post } from '../api/client.ts'
import { demoItems } from './demo-items.ts'

const itemsPerRequest = 200

/**
 * Sends the conversations of the demo, spread over the last day.
 * @param onProgress told how many calls have been sent, of how many
 * @throws {Problem}
 */
export async function loadDemo(projectId: string, onProgress: (sent: number, all: number) => void): Promise<void> {
  const items = demoItems(projectId, Date.now())
  onProgress(0, items.length / 2)
  for (let at = 0; at < items.length; at += itemsPerRequest) {
    await post('/call/upsert_batch', { batch: items.slice(at, at + itemsPerRequest) })
    onProgress(Math.min(at + itemsPerRequest, items.length) / 2, items.length / 2)
  }
}
