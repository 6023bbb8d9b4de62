import { effect, signal } from '@preact/signals'
import { preferencesKey, storedPreferences } from './stored-preferences.ts'

/** A user's preferences in this browser. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly density: 'default' | 'compact' | 'roomy'
  /** IANA name, or `local` for the browser's own. */
  readonly timeZone: string
  /** Whether keys without a modifier do something (WCAG 2.1.4). */
  readonly singleKeys: boolean
  /** Whether the rail shows words; undefined leaves it to the width of the window. */
  readonly railOpen: boolean | undefined
  /** Widths, columns and other things that a view remembers, by a name of the view's own. */
  readonly remembered: Readonly<Record<string, unknown>>
}

const initial: Preferences = {
  theme: 'system',
  density: 'default',
  timeZone: 'local',
  singleKeys: true,
  railOpen: undefined,
  remembered: {},
}

/** The preferences, kept in this browser's storage. */
export const preferences = signal<Preferences>(load())

/** Changes some preferences. */
export const prefer = (changes: Partial<Preferences>): void => {
  preferences.value = { ...preferences.value, ...changes }
}

/** The value that a view stored under `name`, if it passes `isValid`. Reading it subscribes. */
export function remembered<Value>(name: string, isValid: (value: unknown) => value is Value): Value | undefined {
  const value = preferences.value.remembered[name]
  return isValid(value) ? value : undefined
}

/** Makes the browser remember `value` under `name`; undefined forgets it. */
export const remember = (name: string, value: unknown): void => {
  prefer({ remembered: { ...preferences.value.remembered, [name]: value } })
}

/** Applies theme and density, stores changes, and follows those made in other tabs. */
export function startPreferences(): void {
  effect(() => {
    const { theme, density } = preferences.value
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
    if (density === 'default') delete dataset['density']
    else dataset['density'] = density
    save(preferences.value)
  })
  addEventListener('storage', ({ key }: StorageEvent) => {
    if (key === preferencesKey) preferences.value = load()
  })
}

function load(): Preferences {
  return { ...initial, ...storedPreferences() }
}

function save(value: Preferences): void {
  try {
    const text = JSON.stringify(value)
    if (text !== localStorage.getItem(preferencesKey)) localStorage.setItem(preferencesKey, text)
  } catch {
    // Private windows may have no storage; the choice then lasts as long as the page.
  }
}
