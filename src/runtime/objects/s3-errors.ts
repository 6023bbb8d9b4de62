import { objectLimits } from '../../lib/limits/objects.ts'
import { firstText } from './answers.ts'
import { type ObjectErrorKind, ObjectStoreError } from './object-store.ts'
import type { S3Place } from './s3-place.ts'
import { elementText } from './xml.ts'

const kinds: Readonly<Record<string, ObjectErrorKind>> = {
  NoSuchKey: 'absent',
  NoSuchBucket: 'no-bucket',
  PreconditionFailed: 'lost-race',
  // Another conditional put of the name is on its way, and this one has not happened.
  ConditionalRequestConflict: 'slow',
  OperationAborted: 'slow',
  SlowDown: 'slow',
  RequestTimeout: 'slow',
  PermanentRedirect: 'wrong-region',
  TemporaryRedirect: 'slow',
  AuthorizationHeaderMalformed: 'wrong-region',
  IllegalLocationConstraintException: 'wrong-region',
  RequestTimeTooSkewed: 'wrong-clock',
  RequestExpired: 'wrong-clock',
  NotImplemented: 'unsupported',
  MethodNotAllowed: 'unsupported',
}

function kindOfStatus(status: number): ObjectErrorKind {
  if (status === 404) return 'absent'
  if (status === 412) return 'lost-race'
  if (status === 401 || status === 403) return 'refused'
  if (status === 301 || status === 307) return 'wrong-region'
  if (status === 501 || status === 405) return 'unsupported'
  return status === 408 || status === 409 || status === 429 || status >= 500 ? 'slow' : 'unexpected'
}

/** What whoever runs the server can do; the details of the answer follow it. */
function adviceOf(kind: ObjectErrorKind, { bucket, region, endpoint }: S3Place, expected: string | undefined): string {
  switch (kind) {
    case 'absent':
      return 'there is no such object'
    case 'lost-race':
      return 'another writer was first'
    case 'refused':
      return `the store refuses these credentials; check the AWS_* settings, and what they may do in "${bucket}"`
    case 'no-bucket':
      return `there is no bucket "${bucket}" at ${endpoint}; create it, or correct the name`
    case 'wrong-region':
      return `the bucket "${bucket}" is not in ${region}; set AWS_REGION${expected ? ` to ${expected}` : ''}`
    case 'wrong-clock':
      return 'the clock of this machine is wrong; set it, for example by NTP'
    case 'unsupported':
      return `the store at ${endpoint} does not have this operation; use one that has all of S3 that tracelake needs`
    case 'slow':
      return 'the store is overloaded or has an internal error; try again later'
    default:
      return `the answer of ${endpoint} makes no sense; check that it is an S3 endpoint`
  }
}

/** An answer of S3 that is no success as an error, in one line. */
export async function errorOfAnswer(action: string, answer: Response, place: S3Place): Promise<ObjectStoreError> {
  const document = await firstText(answer, objectLimits.errorCharsMax).catch(() => '')
  const code = elementText(document, 'Code')
  const known = code === undefined ? undefined : kinds[code]
  const expected = elementText(document, 'Region') ?? answer.headers.get('x-amz-bucket-region') ?? undefined
  const named = known ?? kindOfStatus(answer.status)
  // A region that does not match may come as a malformed header, or as a redirect.
  const kind = named === 'wrong-region' && expected === place.region ? 'refused' : named
  const message = elementText(document, 'Message')
  const details = [`status ${answer.status}`, code, message?.slice(0, 200)].filter(Boolean).join(', ')
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new ObjectStoreError(kind, `Cannot ${action}: ${adviceOf(kind, place, expected)} (${details})`, {
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  })
}

/** A request without an answer. */
export function errorOfSilence(action: string, cause: unknown, { endpoint }: S3Place): ObjectStoreError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `Cannot ${action}: no answer from ${endpoint}; check the endpoint and the network (${why})`
  return new ObjectStoreError('unreachable', message, { cause })
}
