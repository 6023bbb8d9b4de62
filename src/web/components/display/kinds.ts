import {
  ArrowDownWideNarrow,
  Bot,
  Braces,
  ChartScatter,
  FileSearch,
  FlaskConical,
  Gauge,
  type IconNode,
  Image,
  Plug,
  Shield,
  Sparkle,
  User,
  Workflow,
  Wrench,
} from 'lucide'
import { isKeyOf } from '../../../lib/present.ts'
import { partsText } from '../../text/parts.ts'

/** Kind of a call, as the server names it. */
export type CallKind = keyof typeof kinds

const kinds = {
  agent: [Bot, 'agent'],
  llm: [Sparkle, 'llm'],
  tool: [Wrench, 'tool'],
  retrieval: [FileSearch, 'retrieval'],
  embedding: [ChartScatter, 'retrieval'],
  rerank: [ArrowDownWideNarrow, 'retrieval'],
  guardrail: [Shield, 'guardrail'],
  evaluation: [FlaskConical, 'evaluation'],
  scorer: [Gauge, 'evaluation'],
  function: [Braces, 'function'],
  chain: [Workflow, 'function'],
  request: [Plug, 'function'],
  media: [Image, 'function'],
  person: [User, 'function'],
} as const satisfies Record<string, readonly [IconNode, string]>

/** The kind that the server names; anything unknown is a function. */
export const kindOf = (name: string | null | undefined): CallKind => (name && isKeyOf(kinds, name) ? name : 'function')

/** Icon of a kind. */
export const kindIcon = (kind: CallKind): IconNode => kinds[kind][0]

/** Colour of a kind, as a CSS value. */
export const kindColor = (kind: CallKind): string => `var(--kind-${kinds[kind][1]})`

/** Word for a kind. */
export const kindName = (kind: CallKind): string => partsText.kinds[kind]
