import {
  Box,
  ChartColumn,
  ChartNoAxesGantt,
  FlaskConical,
  type IconNode,
  ListChecks,
  MessageSquare,
  Play,
  Radio,
  Send,
  Table2,
  ThumbsUp,
  Type,
} from 'lucide'
import { isKeyOf, keysOf } from '../../lib/present.ts'

/** An entry of the navigation. */
interface Entry {
  readonly icon: IconNode
  /** Second key of its sequence: `g t`. */
  readonly key: string
  /** Entries of a group are shown together. */
  readonly group: 'read' | 'measure' | 'make' | 'judge' | 'send'
}

interface ViewFacts {
  /** Its place in the address if that is not its name. */
  readonly path?: string
  /** Parameter that follows the name in the address: `/trace/:trace`. */
  readonly needs?: string
  /** Likewise, but may be left out; several follow each other. */
  readonly takes?: string | readonly string[]
  /** Title that is always the same, as navigation, keys, palette and loading pages show it. */
  readonly title?: string
  readonly entry?: Entry
  /** View whose entry is the current one while this view is open. */
  readonly below?: string
  /** Whether the palette offers it although the navigation has no entry for it. */
  readonly isFound?: boolean
  /** Its rows while its script is loading, if it is not a table. */
  readonly rows?: { readonly columns: string; readonly height?: number }
}

/**
 * The views of a project, by the name in their address. Routes, navigation, keys, palette, titles
 * and loading pages follow from it; `views/routes.tsx` loads the script of each.
 */
export const views = {
  traces: { title: 'Traces', entry: { icon: ChartNoAxesGantt, key: 't', group: 'read' } },
  calls: { title: 'Calls', below: 'traces' },
  trace: { needs: 'trace', below: 'traces', rows: { columns: '314px 56px 1fr', height: 26 } },
  call: { needs: 'call', below: 'traces' },
  compare: { title: 'Compare', below: 'traces' },
  threads: { title: 'Threads', entry: { icon: MessageSquare, key: 'h', group: 'read' } },
  thread: { needs: 'thread', below: 'threads', rows: { columns: '64px 2fr 132px', height: 72 } },
  live: { title: 'Live', entry: { icon: Radio, key: 'l', group: 'read' } },
  dashboards: {
    takes: 'dashboard',
    title: 'Dashboards',
    entry: { icon: ChartColumn, key: 'd', group: 'measure' },
    rows: { columns: '1fr 1fr', height: 172 },
  },
  'dashboard-list': {
    title: 'All dashboards',
    below: 'dashboards',
    isFound: true,
    rows: { columns: '2fr 70px 1fr 96px', height: 40 },
  },
  comparison: {
    path: 'evaluations/compare',
    title: 'Compare runs',
    below: 'evaluations',
    rows: { columns: '286px 1fr 1fr', height: 34 },
  },
  judgeCheck: {
    path: 'evaluations/judge',
    title: 'Check the judge',
    below: 'evaluations',
    rows: { columns: '1fr 150px 90px', height: 64 },
  },
  evaluations: {
    takes: 'run',
    title: 'Evaluations',
    entry: { icon: FlaskConical, key: 'e', group: 'measure' },
    rows: { columns: '98px 2fr 40px 138px 132px 132px 60px', height: 34 },
  },
  leaderboards: {
    takes: ['leaderboard', 'version'],
    title: 'Leaderboards',
    below: 'evaluations',
    isFound: true,
    rows: { columns: '2fr 1fr 1fr 96px', height: 48 },
  },
  scorers: {
    takes: ['scorer', 'version'],
    title: 'Scorers',
    below: 'evaluations',
    isFound: true,
  },
  datasets: {
    takes: ['dataset', 'version'],
    title: 'Datasets',
    entry: { icon: Table2, key: 'a', group: 'make' },
    rows: { columns: '36px 62px 2fr 2fr 118px 92px 92px', height: 30 },
  },
  'dataset-import': {
    title: 'Import a file',
    below: 'datasets',
    rows: { columns: '62px 1fr 1fr 1fr', height: 28 },
  },
  'calls-to-dataset': {
    title: 'Calls to a dataset',
    below: 'datasets',
    rows: { columns: '1fr 640px', height: 52 },
  },
  prompts: {
    takes: ['prompt', 'version'],
    title: 'Prompts',
    entry: { icon: Type, key: 'm', group: 'make' },
    rows: { columns: '236px 1fr 340px', height: 54 },
  },
  playground: {
    title: 'Playground',
    entry: { icon: Play, key: 'r', group: 'make' },
    rows: { columns: '1fr 1fr', height: 64 },
  },
  objects: {
    title: 'Objects',
    entry: { icon: Box, key: 'o', group: 'make' },
    rows: { columns: '2fr 1fr 80px 1fr 90px', height: 40 },
  },
  queues: {
    title: 'Queues',
    entry: { icon: ListChecks, key: 'q', group: 'judge' },
    rows: { columns: '2fr 70px 80px 1fr 1fr 96px', height: 40 },
  },
  feedback: {
    title: 'Feedback',
    entry: { icon: ThumbsUp, key: 'f', group: 'judge' },
    rows: { columns: '1fr 1fr 1fr', height: 120 },
  },
  queue: {
    needs: 'queue',
    takes: 'part',
    below: 'queues',
    rows: { columns: '44px 140px 1fr 1fr 168px 84px', height: 34 },
  },
  start: { title: 'Send traces', entry: { icon: Send, key: 's', group: 'send' } },
  object: { needs: 'object', takes: 'version', below: 'objects' },
} as const satisfies Readonly<Record<string, ViewFacts>>

/** Name of a view of a project. */
export type ViewName = keyof typeof views

/** Views whose address is their name alone. */
export type ProjectView = {
  [Name in ViewName]: (typeof views)[Name] extends { needs: string } ? never : Name
}[ViewName]

/** The facts of a view; undefined for a name that no view of a project has. */
export const viewOf = (name: string): ViewFacts | undefined => (isKeyOf(views, name) ? views[name] : undefined)

/** The part of a view's address after the project, as a pattern. */
export function patternOf(name: ViewName): string {
  const { needs, takes, path = name }: ViewFacts = views[name]
  const optional = [takes ?? []]
    .flat()
    .map((each) => `/:${each}?`)
    .join('')
  return `/${path}${needs === undefined ? '' : `/:${needs}`}${optional}`
}

/** An entry of the navigation, with its view. */
interface Section extends Entry {
  readonly view: ProjectView
  readonly title: string
}

const isProjectView = (name: ViewName): name is ProjectView => !('needs' in views[name])

const projectViews = keysOf(views).filter(isProjectView)

const entries = projectViews.flatMap((view): Section[] => {
  const { entry, title = view }: ViewFacts = views[view]
  return entry === undefined ? [] : [{ view, title, ...entry }]
})

/** The entries of the navigation, in groups. */
export const sections: readonly (readonly Section[])[] = [...Map.groupBy(entries, ({ group }) => group).values()]

/** Views that the palette offers beside those of the navigation. */
export const foundViews = projectViews.flatMap((view) => {
  const { isFound, title = view }: ViewFacts = views[view]
  return isFound ? [{ view, title }] : []
})

/** Whether an entry is the current one while a view is open. */
export const isCurrent = ({ view }: Section, open: string): boolean => view === open || viewOf(open)?.below === view
