// Runs before the first paint, as a file because the content security policy forbids inline
// scripts. Without stored preferences, the page follows the system.
import { storedPreferences } from './state/stored-preferences.ts'

const { theme, density } = storedPreferences()
const { dataset } = document.documentElement
if (theme === 'light' || theme === 'dark') dataset['theme'] = theme
if (density === 'compact' || density === 'roomy') dataset['density'] = density
