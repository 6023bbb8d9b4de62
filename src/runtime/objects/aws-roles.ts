import { objectLimits } from '../../lib/limits/objects.ts'
import { memberOf } from '../../lib/present.ts'
import { firstText } from './answers.ts'
import type { AwsSurroundings, LentCredentials } from './aws-surroundings.ts'
import { elementText } from './xml.ts'

/** Asks one of the services that lend credentials. @throws Error in one line */
async function ask(
  { send }: AwsSurroundings,
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<string> {
  const signal = AbortSignal.timeout(objectLimits.credentialsFetchMs)
  const answer = await send(url, { ...init, signal }).catch((cause: unknown) => {
    throw new Error(`no answer from ${new URL(url).host}; set AWS_ACCESS_KEY_ID, or give this machine a role`, {
      cause,
    })
  })
  const text = await firstText(answer, objectLimits.errorCharsMax)
  if (answer.ok) return text
  const why = elementText(text, 'Message') ?? `status ${answer.status}`
  throw new Error(`${new URL(url).host} refuses them: ${why.slice(0, 200)}`)
}

/**
 * The credentials of a role for a token that the platform (for example Kubernetes) writes into a
 * file.
 *
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export async function webIdentityCredentials(
  around: AwsSurroundings,
  { tokenFile, role, region }: { tokenFile: string; role: string; region: string | undefined },
): Promise<LentCredentials> {
  const { variable, readText } = around
  const host = region === undefined ? 'sts.amazonaws.com' : `sts.${region}.amazonaws.com`
  const endpoint = variable('AWS_ENDPOINT_URL_STS') ?? variable('AWS_ENDPOINT_URL') ?? `https://${host}`
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: variable('AWS_ROLE_SESSION_NAME') ?? 'tracelake',
    // The platform replaces it.
    WebIdentityToken: (await readText(tokenFile)).trim(),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const text = await ask(around, `${endpoint.replace(/\/+$/, '')}/`, { method: 'POST', headers, body: form.toString() })
  return lent({
    AccessKeyId: elementText(text, 'AccessKeyId'),
    SecretAccessKey: elementText(text, 'SecretAccessKey'),
    Token: elementText(text, 'SessionToken'),
    Expiration: elementText(text, 'Expiration'),
  })
}

/** Addresses at which a container may be told to ask without TLS. */
const trustedHosts = new Set(['localhost', '127.0.0.1', '[::1]', '169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'])

/**
 * The credentials of the role of a container (ECS, EKS).
 *
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export async function containerCredentials(around: AwsSurroundings): Promise<LentCredentials> {
  const { variable, readText } = around
  const relative = variable('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI')
  const url =
    relative === undefined
      ? String(variable('AWS_CONTAINER_CREDENTIALS_FULL_URI'))
      : `http://169.254.170.2${relative.startsWith('/') ? '' : '/'}${relative}`
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !trustedHosts.has(hostname))
    throw new Error(`AWS_CONTAINER_CREDENTIALS_FULL_URI must be an https address, not "${url}"`)
  const tokenFile = variable('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE')
  const token =
    tokenFile === undefined ? variable('AWS_CONTAINER_AUTHORIZATION_TOKEN') : (await readText(tokenFile)).trim()
  return lent(JSON.parse(await ask(around, url, { headers: token === undefined ? {} : { authorization: token } })))
}

/**
 * The credentials of the role of an EC2 instance, by IMDSv2.
 *
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
export async function instanceCredentials(around: AwsSurroundings): Promise<LentCredentials> {
  const base = around.variable('AWS_EC2_METADATA_SERVICE_ENDPOINT') ?? 'http://169.254.169.254'
  const endpoint = `${base.replace(/\/+$/, '')}/latest`
  const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' }
  const token = await ask(around, `${endpoint}/api/token`, { method: 'PUT', headers: lifetime })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const roles = `${endpoint}/meta-data/iam/security-credentials/`
  const [role = ''] = (await ask(around, roles, { headers })).trim().split('\n')
  if (role === '') throw new Error('this instance has no role')
  return lent(JSON.parse(await ask(around, roles + encodeURIComponent(role), { headers })))
}

/** @throws Error if something is missing */
function lent(answer: unknown): LentCredentials {
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    'Token',
    'Expiration',
  ].map((name) => memberOf(answer, name))
  const expiresMs = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string' || Number.isNaN(expiresMs))
    throw new Error('the answer of the service has no credentials')
  return { accessKeyId, secretAccessKey, ...(typeof sessionToken === 'string' && { sessionToken }), expiresMs }
}
