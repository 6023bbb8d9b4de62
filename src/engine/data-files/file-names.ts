import { v7 as uuid } from 'uuid'

/** A new, unique file name. It embeds its creation time. */
export const newFileName = (): string => `part-${uuid()}.parquet`

const ownName = /^part-([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.parquet$/

/** Whether a file name has the form that this store uses. */
export const isOwnName = (fileName: string): boolean => ownName.test(fileName)

/** When a file of this store was created (milliseconds); undefined for other files. */
export function createdAtMs(fileName: string): number | undefined {
  const match = ownName.exec(fileName)
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16)
}
