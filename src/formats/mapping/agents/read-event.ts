import { parseTime } from '../../../lib/time.ts'
import { numberIn, textIn, valueIn } from '../logs/attribute-values.ts'
import type { LogEvent } from '../logs/log-event.ts'
import { threadNameOf } from '../spans/span-names.ts'

/** When an event happened: as its attribute says, else its record. Microseconds. */
export function eventTime(event: LogEvent, nowMicros: number): number {
  const text = textIn(event.attributes, 'event.timestamp')
  return (text === undefined ? undefined : parseTime(text)) ?? event.time ?? nowMicros
}

/** The session that an attribute names, as threads are named. */
export function sessionOf(event: LogEvent, attribute: string): string | undefined {
  const name = textIn(event.attributes, attribute)
  return name === undefined ? undefined : threadNameOf(name)
}

/** The attributes that are there, under other names. */
export function attributesOf(
  event: LogEvent,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(names)) {
    const value = valueIn(event.attributes, attribute)
    if (value !== undefined && value !== '') found[name] = value
  }
  const version = textIn(event.group.resource, 'service.version') ?? textIn(event.attributes, 'app.version')
  return version === undefined ? found : { ...found, agent_version: version }
}

/** Counts that are there, under other names. */
export function countsOf(event: LogEvent, names: Readonly<Record<string, string>>): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, attribute] of Object.entries(names)) {
    const count = numberIn(event.attributes, attribute)
    if (count !== undefined && count >= 0) found[name] = count
  }
  return found
}

/** An object, as it is or wrapped: what tools are called with. */
export function inputsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { input: value }
}
