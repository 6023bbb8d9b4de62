/** Name of the preferences in this browser's storage; the guide keeps its theme there as well. */
export const preferencesKey = 'tracelake'

/** The preferences as they are stored; empty without storage, or for a value that is not ours. */
export function storedPreferences(): Readonly<Record<string, unknown>> {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(preferencesKey) ?? '{}')
    return typeof saved === 'object' && saved !== null ? { ...saved } : {}
  } catch {
    return {}
  }
}
