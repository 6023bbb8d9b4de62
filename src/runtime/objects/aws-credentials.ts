import { objectLimits } from '../../lib/limits/objects.ts'
import { present } from '../../lib/present.ts'
import { ConfigError } from '../config/config-error.ts'
import { systemOutboundHttp } from '../http/outbound-http.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { readText } from '../platform/files/files.ts'
import { environmentVariable, homeFolder } from '../platform/runtime.ts'
import { readProfile } from './aws-profile.ts'
import { containerCredentials, instanceCredentials, webIdentityCredentials } from './aws-roles.ts'
import type { AwsCredentials, AwsSurroundings, LentCredentials } from './aws-surroundings.ts'
import { ObjectStoreError } from './object-store.ts'

const systemSurroundings: AwsSurroundings = {
  variable: environmentVariable,
  readText,
  send: systemOutboundHttp.fetch,
  clock: systemClock,
  home: homeFolder(),
}

/** Where credentials come from, and what the profile says besides. */
export interface AwsSetup {
  credentials(): Promise<AwsCredentials>
  readonly region: string | undefined
  readonly endpoint: string | undefined
}

/**
 * Credentials as the AWS SDKs find them, first to last: the environment, a web identity, the
 * profile, the container, the instance. Region and endpoint: the environment, then the profile.
 *
 * @throws ConfigError if what is configured is incomplete, or not supported
 */
export async function findAwsSetup(around: AwsSurroundings = systemSurroundings): Promise<AwsSetup> {
  const { variable } = around
  const profile = await readProfile(around)
  return {
    credentials: sourceOf(around, profile),
    region: variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION') ?? profile['region'],
    endpoint: variable('AWS_ENDPOINT_URL_S3') ?? variable('AWS_ENDPOINT_URL') ?? profile['endpoint_url'],
  }
}

type Profile = Readonly<Record<string, string>>

function sourceOf(around: AwsSurroundings, profile: Profile): () => Promise<AwsCredentials> {
  const { variable } = around
  const fixed =
    keysOf('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', variable) ??
    (variable('AWS_WEB_IDENTITY_TOKEN_FILE') === undefined
      ? keysOf('aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', (name) => profile[name])
      : undefined)
  if (fixed !== undefined) return async () => fixed
  const lent = lenderOf(around, profile)
  return new RenewedCredentials(lent, around.clock).current
}

/** @throws ConfigError if only one of the two is there */
function keysOf(
  id: string,
  secret: string,
  token: string,
  find: (name: string) => string | undefined,
): AwsCredentials | undefined {
  const [accessKeyId, secretAccessKey, sessionToken] = [find(id), find(secret), find(token)]
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(`${accessKeyId === undefined ? id : secret} must be set, too`)
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

function lenderOf(around: AwsSurroundings, profile: Profile): () => Promise<LentCredentials> {
  const { variable } = around
  const region = variable('AWS_REGION') ?? variable('AWS_DEFAULT_REGION') ?? profile['region']
  const tokenFile = variable('AWS_WEB_IDENTITY_TOKEN_FILE') ?? profile['web_identity_token_file']
  if (tokenFile !== undefined) {
    const role = variable('AWS_ROLE_ARN') ?? profile['role_arn']
    if (role === undefined) throw new ConfigError('AWS_ROLE_ARN must be set besides AWS_WEB_IDENTITY_TOKEN_FILE')
    return () => webIdentityCredentials(around, { tokenFile, role, region })
  }
  for (const name of ['credential_process', 'sso_session', 'sso_start_url', 'source_profile', 'credential_source'])
    if (profile[name] !== undefined)
      throw new ConfigError(
        `The AWS profile uses ${name}, which is not supported; set AWS_ACCESS_KEY_ID, or use a role`,
      )
  if (
    variable('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI') !== undefined ||
    variable('AWS_CONTAINER_CREDENTIALS_FULL_URI') !== undefined
  )
    return () => containerCredentials(around)
  if (variable('AWS_EC2_METADATA_DISABLED')?.toLowerCase() === 'true')
    throw new ConfigError('No AWS credentials are set; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  return () => instanceCredentials(around)
}

/** Credentials that are fetched anew before they expire, by one request for all who need them. */
class RenewedCredentials {
  private readonly fetchNew: () => Promise<LentCredentials>
  private readonly clock: Clock
  private held: LentCredentials | undefined
  private fetching: Promise<void> | undefined
  /** After a failure, those that are still valid are used for a while. */
  private retryMs = 0

  constructor(fetchNew: () => Promise<LentCredentials>, clock: Clock) {
    this.fetchNew = fetchNew
    this.clock = clock
  }

  readonly current = async (): Promise<AwsCredentials> => {
    const nowMs = this.clock.nowMs()
    const isFresh = this.held !== undefined && nowMs < this.held.expiresMs - objectLimits.credentialsMarginMs
    if (!isFresh && nowMs >= this.retryMs) {
      this.fetching ??= this.renew().finally(() => {
        this.fetching = undefined
      })
      await this.fetching
    }
    return present(this.held, 'AWS credentials')
  }

  private async renew(): Promise<void> {
    try {
      this.held = await this.fetchNew()
      this.retryMs = 0
    } catch (cause) {
      const nowMs = this.clock.nowMs()
      if (this.held === undefined || nowMs >= this.held.expiresMs) {
        if (cause instanceof ObjectStoreError) throw cause
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new ObjectStoreError('refused', `Cannot get AWS credentials: ${why}`, { cause })
      }
      this.retryMs = nowMs + objectLimits.credentialsRetryMs
    }
  }
}
