import { flag, oneOf, type Param, text } from '../state/search-text.ts'
import { urlState } from '../state/url-state.ts'

/** Part of the time of a trace, in milliseconds after its start. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** `z=1200-4800`; empty for the whole trace. */
const timeWindow: Param<TimeWindow | undefined> = {
  initial: undefined,
  read: (value) => {
    const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(value) ?? []
    return from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : undefined
  },
  write: (value) => (value === undefined ? '' : `${round(value.from)}-${round(value.to)}`),
}

const round = (ms: number): string => String(Number(ms.toFixed(3)))

/** Tabs of the call panel; `auto` is chat where there are messages, else inputs and output. */
const callTabs = ['auto', 'chat', 'io', 'inputs', 'output', 'attributes', 'feedback', 'cost', 'code', 'raw'] as const
export type CallTab = (typeof callTabs)[number]

/** State of the trace page in its address. */
export const traceUrl = urlState({
  call: text(),
  view: oneOf(['tree', 'ops', 'flame']),
  tab: oneOf(callTabs),
  z: timeWindow,
  q: text(),
  path: flag(),
})
