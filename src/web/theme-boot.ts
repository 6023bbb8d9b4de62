// Runs before the first paint, as a file because the content security policy forbids inline
// scripts. Keep the key and the members in step with state/preferences.ts.
try {
  const saved: unknown = JSON.parse(localStorage.getItem('tracelake') ?? '{}')
  if (typeof saved === 'object' && saved !== null) {
    const { theme, density }: { theme?: unknown; density?: unknown } = saved
    const { dataset } = document.documentElement
    if (theme === 'light' || theme === 'dark') dataset['theme'] = theme
    if (density === 'compact' || density === 'roomy') dataset['density'] = density
  }
} catch {
  // Without storage, or with a value that is not ours, the page follows the system.
}
