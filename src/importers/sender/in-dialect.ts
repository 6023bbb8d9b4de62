import { toVendorName } from '../../formats/dialect/names.ts'
import type { Target } from '../record.ts'

/** Members under the names that a server uses. */
export const inDialect = (members: Readonly<Record<string, unknown>>, dialect: Target['dialect']) =>
  dialect === 'ext'
    ? members
    : Object.fromEntries(Object.entries(members).map(([name, value]) => [toVendorName(name), value]))
