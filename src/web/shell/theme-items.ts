import { Monitor, Moon, Sun } from 'lucide'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { prefer, preferences } from '../state/preferences.ts'
import { shellText } from '../text/shell.ts'

const themes = [
  { id: 'system', icon: Monitor, label: shellText.system },
  { id: 'light', icon: Sun, label: shellText.light },
  { id: 'dark', icon: Moon, label: shellText.dark },
] as const

/** The themes to choose from. */
export const themeItems = (): MenuItem[] =>
  themes.map(({ id, icon, label }) => ({
    icon,
    label,
    checked: id === preferences.value.theme,
    run: () => prefer({ theme: id }),
  }))

/** Icon of the theme that is chosen. */
export const themeIcon = () => themes.find(({ id }) => id === preferences.value.theme)?.icon ?? Monitor
