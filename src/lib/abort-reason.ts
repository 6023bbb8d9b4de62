import { DomainError } from './errors.ts'

/** The error of a wait whose signal aborts: its reason if a DomainError, else RequestCancelled. */
export const abortReason = (signal: AbortSignal | undefined): unknown =>
  signal?.reason instanceof DomainError ? signal.reason : new DomainError('RequestCancelled', 'Client disconnected')
