import { root } from '../base.ts'

/** The project and the view in the address, or neither. */
export interface Place {
  readonly projectId: string | undefined
  readonly view: string
}

/** The place that a path of the UI names. */
export function placeOf(path: string): Place {
  const [first = '', second = '', third = 'traces', fourth] = path.slice(root.length).split('/').filter(Boolean)
  if (first === '') return { projectId: undefined, view: 'home' }
  if (second === '' || first === 'settings') return { projectId: undefined, view: ownPages.get(first) ?? 'home' }
  const view = third === 'evaluations' && fourth === 'compare' ? 'comparison' : third
  return { projectId: `${decoded(first)}/${decoded(second)}`, view }
}

/** Pages outside of projects, by their name in the address. */
const ownPages: ReadonlyMap<string, string> = new Map([
  ['login', 'login'],
  ['settings', 'settings'],
  ['sql', 'sql'],
])

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
