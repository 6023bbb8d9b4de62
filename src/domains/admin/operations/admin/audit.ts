import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../../access/caller.ts'
import { AuditEntries, AuditRequest } from '../../../audit/model/audit.ts'
import type { AdminServices } from '../services.ts'
import { forOperators, requireOperator } from './require-operator.ts'

export const queryAuditRoute = {
  body: AuditRequest,
  response: { 200: AuditEntries },
  detail: {
    operationId: 'audit.query',
    readOnly: true,
    summary: 'Query the audit log',
    description:
      'Who signed in, administered, changed and, if configured, read what. Sent telemetry and reads are counted ' +
      `together by minute. ${forOperators}`,
    tags: ['Administration'],
  },
}

export async function queryAudit(
  { audit }: AdminServices,
  caller: Caller,
  body: Static<typeof AuditRequest>,
): Promise<AuditEntries> {
  requireOperator(caller)
  return await audit.query(body)
}
