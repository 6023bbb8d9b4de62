import { type Reply, serveMessages, threadName } from '../../../runtime/platform/processes/worker-thread.ts'
import type { EncodedCalls, IntakeReply, IntakeTask } from './intake-task.ts'

/**
 * The address of this module, which runs in the threads. Its dependencies are imported lazily, only
 * there.
 */
export const intakeModule = import.meta.url

if (threadName === 'intake') serveMessages((message) => answer(message as IntakeTask | undefined))

async function answer(task: IntakeTask | undefined): Promise<Reply> {
  const { prepareCalls } = await import('./prepare-calls.ts')
  const { prepareSpans } = await import('./prepare-spans.ts')
  // The first message asks whether the thread is ready.
  if (task === undefined) return { message: null, transferred: [] }
  try {
    const prepared = task.kind === 'spans' ? prepareSpans(task) : await prepareCalls(task)
    const transferred = prepared === undefined ? [] : transferredOf(prepared)
    return { message: { prepared } satisfies IntakeReply, transferred }
  } catch (cause) {
    const failed = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { message: { failed } satisfies IntakeReply, transferred: [] }
  }
}

const transferredOf = ({ message, derived, derivedRows, hashes }: EncodedCalls): ArrayBuffer[] =>
  [message, derived, derivedRows, hashes].map(({ buffer }) => buffer)
