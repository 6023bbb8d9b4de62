import { Download } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/controls/button.tsx'
import { Menu, type MenuItem } from '../components/overlays/menu.tsx'
import { showError } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import { exportCalls, exportFormats } from './export-formats.ts'

/** Saves everything that matches, in one of the formats. */
export function ExportMenu({ query, more = [] }: ExportMenuProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const save = (format: (typeof exportFormats)[number]): void => {
    setBusy(true)
    exportCalls(query, format)
      .catch(showError)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <IconButton
        of={Download}
        kind="default"
        label={bulkText.exportAll}
        busy={busy}
        buttonRef={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        side="end"
        label={bulkText.exportAll}
        items={[...exportFormats.map((format) => ({ label: format.label, run: () => save(format) })), ...more]}
      />
    </>
  )
}

interface ExportMenuProps {
  readonly query: Parameters<typeof exportCalls>[0]
  /** Entries below the formats. */
  readonly more?: readonly MenuItem[]
}
