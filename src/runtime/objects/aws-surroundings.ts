import type { Clock } from '../platform/clock.ts'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Credentials of a role, which end. */
export interface LentCredentials extends AwsCredentials {
  readonly expiresMs: number
}

/** What credentials are read from; tests have their own. */
export interface AwsSurroundings {
  variable(name: string): string | undefined
  readText(file: string): Promise<string>
  send(url: string, init: RequestInit): Promise<Response>
  readonly clock: Clock
  readonly home: string
}
