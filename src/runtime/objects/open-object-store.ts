import { ConfigError, filled } from '../config/config-error.ts'
import { findAwsSetup } from './aws-credentials.ts'
import { FolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { RequestCounts } from './request-counts.ts'
import { RetryingStore } from './retrying-store.ts'
import { s3Place } from './s3-place.ts'
import { S3Store } from './s3-store.ts'

/** Where the store is, if the settings of AWS do not say so. */
export interface StoreOptions {
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** `path` or `virtual`. */
  readonly addressing?: string | undefined
}

/**
 * The store of an address, with retries: `s3://bucket/prefix`, or a folder. Asks it nothing yet.
 *
 * @throws ConfigError
 */
export async function openObjectStore(
  address: string,
  options: StoreOptions = {},
  counts?: RequestCounts,
): Promise<ObjectStore> {
  if (!address.startsWith('s3://')) {
    if (/^\w+:\/\//.test(address))
      throw new ConfigError(`A lake must be s3://<bucket>/<prefix> or a folder, not "${address}"`)
    return new RetryingStore(new FolderStore(filled('The lake', address), counts))
  }
  const { credentials, region, endpoint } = await findAwsSetup()
  const place = s3Place(address, {
    region: options.region ?? region,
    endpoint: options.endpoint ?? endpoint,
    addressing: options.addressing,
  })
  return new RetryingStore(new S3Store({ place, credentials, counts }))
}
