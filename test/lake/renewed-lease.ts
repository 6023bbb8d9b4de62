import type { Fault, S3Server } from './s3-server.ts'

/** A lake has a node that renews its lease in time, however slow the machine is. */
export function renewedLease({ objects }: S3Server, lake: string): Fault {
  let renewals = 0
  return ({ method, url }) => {
    if (method !== 'GET' || !url.endsWith(`/${lake}/lease`)) return undefined
    const lease = { format: 1, node: 'web-1:7', holder: 'web-1', isFree: false, nonce: String(renewals++) }
    const bytes = new TextEncoder().encode(JSON.stringify(lease))
    objects.run({ kind: 'put', name: `${lake}/lease`, bytes, when: undefined })
    return undefined
  }
}
