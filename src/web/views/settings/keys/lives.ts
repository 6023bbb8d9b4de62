import { keysOf } from '../../../../lib/present.ts'
import { accessText } from '../../../text/settings/access.ts'

/** For how long a key is made; `never` for one that does not expire. */
export type Life = keyof typeof accessText.lives

/** Choices of a form. */
export const lives = keysOf(accessText.lives).map((id) => ({ id, label: accessText.lives[id] }))

const days = { week: 7, month: 30, quarter: 90, year: 365 } as const
const dayMs = 86_400_000

/** When a key that is made now expires (ISO 8601); null: never. */
export const expiryOf = (life: Life, nowMs: number = Date.now()): string | null =>
  life === 'never' ? null : new Date(nowMs + days[life] * dayMs).toISOString()
