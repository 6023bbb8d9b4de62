import { signal } from '@preact/signals'

/** Whether the palette is open, and for what: everything, or another project. */
export const palette = signal<'everything' | 'projects' | undefined>(undefined)

/** Whether the list of keys is open. */
export const keysShown = signal(false)
