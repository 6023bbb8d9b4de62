/**
 * API keys, callers and what they may do; sessions, sign-in and provider secrets. Other code
 * imports this subject through this file.
 */

export { Access } from './access.ts'
export { accountFileName } from './accounts.ts'
export { Caller, keyTextOf, type ProjectReader, type ProjectsReader, type ProjectWriter } from './caller.ts'
export { DamagedDocument, DocumentFormat, type OwnRecords } from './document-format.ts'
export { FailedAttempts } from './failed-attempts.ts'
export { type KeyRecord, keyFileName } from './key-file.ts'
export { KeyRing } from './key-ring.ts'
export { readKeyUses } from './key-uses.ts'
export { callerOnThisMachine, isFromThisMachine } from './local-access.ts'
export { attemptNameOf } from './oidc/attempts.ts'
export { OpenId } from './oidc/open-id.ts'
export { SignInProblem, toSignInProblem } from './oidc/sign-in-problem.ts'
export { type SealingKey, SealingKeyDocument, SealingKeyFile } from './secrets/sealing-key.ts'
export type { SecretRecord } from './secrets/secret-store.ts'
export { SecretStore, secretFileName } from './secrets/secret-store.ts'
export { Secrets } from './secrets/secrets.ts'
export { LoginLinks } from './sessions/login-links.ts'
export { Logins } from './sessions/logins.ts'
export type { Session, Sessions } from './sessions/sessions.ts'
