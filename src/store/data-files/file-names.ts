import { v7 as uuid } from 'uuid'

/** A name that no file has had; it tells when it was made. */
export const newFileName = (): string => `part-${uuid()}.parquet`

const ownName = /^part-([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.parquet$/

/** Whether a file has a name that this store gives. */
export const isOwnName = (fileName: string): boolean => ownName.test(fileName)

/** When a file of this store was begun (milliseconds); undefined where it is not one. */
export function createdAtMs(fileName: string): number | undefined {
  const match = ownName.exec(fileName)
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16)
}
