import { ConfigError, httpAddress, oneOf } from '../config/config-error.ts'
import { assertObjectName } from './object-store.ts'

/** Where a lake is in S3, or in a store that speaks like it. */
export interface S3Place {
  readonly bucket: string
  /** In front of every name; empty, or with a slash at the end. */
  readonly prefix: string
  readonly region: string
  /** Without a slash at the end. */
  readonly endpoint: string
  /** Whether the bucket is the first word of the path, instead of a part of the host name. */
  readonly isPathStyle: boolean
}

export interface S3Options {
  readonly region: string | undefined
  /** Of a store that is not Amazon's. */
  readonly endpoint: string | undefined
  readonly addressing: string | undefined
}

/**
 * Reads `s3://bucket/prefix`. Other stores than Amazon's are addressed by path, as all of them
 * understand.
 *
 * @throws ConfigError
 */
export function s3Place(address: string, options: S3Options): S3Place {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)\/?(.*?)\/*$/.exec(address) ?? []
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError(`A lake must be s3://<bucket>/<prefix>, not "${address}"`)
  try {
    if (path !== '') assertObjectName(path)
  } catch (cause) {
    throw new ConfigError(`The prefix of a lake may have letters, digits, ".", "_", "=", "-" and "/", not "${path}"`, {
      cause,
    })
  }
  const custom = httpAddress('AWS_ENDPOINT_URL_S3', options.endpoint)
  const region = options.region ?? (custom === undefined ? undefined : 'us-east-1')
  if (region === undefined) throw new ConfigError(`The region of ${address} is not known; set AWS_REGION`)
  const isAmazons = custom === undefined || /^https?:\/\/[^/]*\.amazonaws\.com(?:\.cn)?(?:[:/]|$)/.test(custom)
  const standard = isAmazons && !bucket.includes('.') ? 'virtual' : 'path'
  const addressing = oneOf('addressing', options.addressing ?? standard, ['path', 'virtual'])
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region,
    endpoint: (custom ?? `https://s3.${region}.${domain}`).replace(/\/+$/, ''),
    isPathStyle: addressing === 'path',
  }
}

/** The address of an object, or of the bucket if the key is empty. */
export function s3Url({ endpoint, bucket, isPathStyle }: S3Place, key: string): URL {
  const path = key.split('/').map(encodeURIComponent).join('/')
  if (isPathStyle) return new URL(`${endpoint}/${bucket}${path === '' ? '' : `/${path}`}`)
  const url = new URL(`${endpoint}/${path}`)
  url.hostname = `${bucket}.${url.hostname}`
  return url
}
