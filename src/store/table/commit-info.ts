import { v7 as uuid } from 'uuid'
import type { CommitInfo } from '../delta/actions.ts'

/** Identifies the writer and purpose of a commit. The id makes the text of every commit unique. */
export const commitInfo = (
  operation: string,
  operationParameters: Readonly<Record<string, unknown>>,
  nowMs: number,
): CommitInfo => ({
  commitInfo: { timestamp: nowMs, operation, operationParameters, engineInfo: 'tracelake', txnId: uuid() },
})
