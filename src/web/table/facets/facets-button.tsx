import { ListFilter } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../../components/controls/button.tsx'
import { Popover } from '../../components/overlays/popover.tsx'
import { facetText } from '../../text/facets.ts'
import css from './facets.module.css'

/** Opens the facets where there is no space for them beside the table. */
export function FacetsButton({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        of={ListFilter}
        kind="default"
        label={facetText.title}
        buttonRef={anchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} label={facetText.title}>
        <div class={css.floating}>{children}</div>
      </Popover>
    </>
  )
}
