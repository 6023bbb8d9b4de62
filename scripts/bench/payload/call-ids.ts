/** Start of the first call: 2026-01-05T08:00:00Z, in milliseconds. */
const firstCallMs = 1_767_600_000_000

/** Time between the starts of neighbouring calls. */
const stepMs = 37

export const startedMs = (index: number): number => firstCallMs + index * stepMs

/**
 * The id of a call: a UUIDv7 (RFC 9562) of its start time, with the other bits hashed from its
 * number and `salt`. Another salt gives unused ids of the same times.
 */
export function callId(index: number, salt = 0): string {
  const time = startedMs(index).toString(16).padStart(12, '0')
  const words = [1, 2, 3]
    .map((part) =>
      hash(Math.imul(index, 3) + part, salt)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
  const variant = '89ab'[hash(index, salt + 1) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${words.slice(0, 3)}-${variant}${words.slice(3, 6)}-${words.slice(6, 18)}`
}

/** Like `callId` for odd numbers; 16 random digits for even ones, like the id of a span. */
export const mixedId = (index: number): string =>
  index % 2 === 1 ? callId(index) : callId(index, 13).replaceAll('-', '').slice(-16)

export const callsPerTrace = 10

/** Id of the trace that call `index` belongs to. */
export const traceId = (index: number): string => callId(index - (index % callsPerTrace), 7)

/** The finalizer of MurmurHash3: every input bit flips about half of the output bits. */
function hash(value: number, salt: number): number {
  let h = (value ^ Math.imul(salt + 1, 0x9e3779b9)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
