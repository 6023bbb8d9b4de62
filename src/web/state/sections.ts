import { ChartColumn, ChartNoAxesGantt, type IconNode, MessageSquare, Radio, Send } from 'lucide'
import type { ProjectView } from './paths.ts'
import type { Place } from './place.ts'

/** An entry of the rail. */
export interface Section {
  readonly view: ProjectView
  readonly icon: IconNode
  /** Views in which it is the current section. */
  readonly holds: readonly Place['view'][]
  /** Second key of its sequence: `g t`. */
  readonly key: string
}

/** The views of a project, in groups. */
export const sections: readonly (readonly Section[])[] = [
  [
    { view: 'traces', icon: ChartNoAxesGantt, holds: ['traces', 'calls', 'trace', 'compare'], key: 't' },
    { view: 'threads', icon: MessageSquare, holds: ['threads', 'thread'], key: 'h' },
    { view: 'live', icon: Radio, holds: ['live'], key: 'l' },
  ],
  [{ view: 'dashboards', icon: ChartColumn, holds: ['dashboards'], key: 'd' }],
  [{ view: 'start', icon: Send, holds: ['start'], key: 's' }],
]
