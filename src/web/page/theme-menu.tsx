import { Monitor, Moon, Sun } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/controls/button.tsx'
import { Menu, type MenuItem } from '../components/overlays/menu.tsx'
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
const themeIcon = () => themes.find(({ id }) => id === preferences.value.theme)?.icon ?? Monitor

/** The button that chooses the theme. */
export function ThemeMenu() {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        of={themeIcon()}
        label={shellText.theme}
        buttonRef={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        items={themeItems()}
        label={shellText.theme}
        side="end"
      />
    </>
  )
}
