import { v7 as uuid } from 'uuid'
import type { CommitInfo } from '../delta/actions.ts'

/** Who makes a commit, and what for. Its id makes the text of every commit another one. */
export const commitInfo = (
  operation: string,
  operationParameters: Readonly<Record<string, unknown>>,
  nowMs: number,
): CommitInfo => ({
  commitInfo: { timestamp: nowMs, operation, operationParameters, engineInfo: 'tracelake', txnId: uuid() },
})
