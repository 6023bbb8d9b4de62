import { type Reply, serveMessages, threadName } from '../../../runtime/platform/processes/worker-thread.ts'
import type { EncodedCalls, IntakeReply, IntakeTask } from './intake-task.ts'

/**
 * The address of this module, which runs in the threads. Its dependencies are imported lazily, only
 * there.
 */
export const intakeModule = import.meta.url

if (threadName === 'intake') serveMessages(answer)

async function answer(task: IntakeTask | undefined): Promise<Reply> {
  const { prepareCalls, prepareSpans } = await import('./prepare.ts')
  // The first message asks whether the thread is ready.
  if (task === undefined) return { message: null, transferred: [] }
  try {
    if (task.kind === 'spans') {
      const spans = prepareSpans(task)
      return spans === undefined ? none : replyOf({ kind: 'spans', spans }, spans)
    }
    const calls = await prepareCalls(task)
    return calls === undefined ? none : replyOf({ kind: 'calls', calls }, calls)
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { message: { kind: 'failed', reason } satisfies IntakeReply, transferred: [] }
  }
}

const none: Reply = { message: { kind: 'none' } satisfies IntakeReply, transferred: [] }

const replyOf = (message: IntakeReply, calls: EncodedCalls): Reply => ({ message, transferred: transferredOf(calls) })

const transferredOf = ({ message, plain, derived, derivedRows, hashes }: EncodedCalls): ArrayBuffer[] => [
  ...new Set([message, plain, derived, derivedRows, hashes].map(({ buffer }) => buffer)),
]
