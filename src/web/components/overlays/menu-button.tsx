import { ChevronDown, Ellipsis } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button, type ButtonKind, IconButton } from '../controls/button.tsx'
import { Menu, type MenuItem } from './menu.tsx'

/** A button that opens a menu: with words and a chevron, or three dots without words. */
export function MenuButton({ label, items, children, side = 'start', kind, size }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const shared = {
    buttonRef: anchor,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onClick: () => setOpen(!open),
    ...(kind && { kind }),
    ...(size && { size }),
  } as const
  return (
    <>
      {children === undefined ? (
        <IconButton of={Ellipsis} label={label} {...shared} />
      ) : (
        <Button iconAfter={ChevronDown} {...shared}>
          {children}
        </Button>
      )}
      <Menu open={open} onClose={() => setOpen(false)} anchor={anchor} items={items} label={label} side={side} />
    </>
  )
}

interface MenuButtonProps {
  /** Name of the menu, for screen readers and the tooltip of the dots. */
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly children?: ComponentChildren
  readonly side?: 'start' | 'end'
  readonly kind?: ButtonKind | undefined
  readonly size?: 'default' | 'compact' | undefined
}
