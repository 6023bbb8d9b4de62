import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/controls/button.tsx'
import { Menu } from '../components/overlays/menu.tsx'
import { shellText } from '../text/shell.ts'
import { themeIcon, themeItems } from './theme-items.ts'

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
