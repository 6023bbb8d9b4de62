import { mapJson } from '../../lib/json-value.ts'
import { membersOf, numberOf, objectsIn } from './members.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * A sample with all of its texts and messages in place. Inspect writes long texts, and messages
 * that several model calls share, once, and refers to them.
 */
export function resolveSample(sample: Members): Members {
  const { attachments, events_data, ...others } = sample
  const texts = membersOf(attachments)
  const resolved = Object.keys(texts).length === 0 ? others : membersOf(withTexts(others, texts))
  const pool = withTexts(membersOf(events_data)['messages'] ?? [], texts)
  const events = objectsIn(resolved['events']).map((event) => withMessages(event, Array.isArray(pool) ? pool : []))
  return { ...resolved, events }
}

const reference = /attachment:\/\/([0-9a-f]{32})/g

function withTexts(value: unknown, texts: Members): unknown {
  if (typeof value !== 'string') return mapJson(value, (child) => withTexts(child, texts))
  if (!value.includes('attachment://')) return value
  return value.replaceAll(reference, (whole, id: string) => (typeof texts[id] === 'string' ? texts[id] : whole))
}

/** `input_refs` are ranges of the pool: first, and the one after the last. */
function withMessages(event: Members, pool: readonly unknown[]): Members {
  const { input_refs: ranges, ...others } = event
  if (!Array.isArray(ranges)) return event
  const input = ranges.flatMap((range) => {
    const [from, to] = Array.isArray(range) ? range.map(numberOf) : []
    return pool.slice(from ?? 0, to ?? 0)
  })
  return { ...others, input }
}
