import type { IconNode } from 'lucide'

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly id: string
  readonly group: string
  readonly label: string
  /** Printed at the right, in grey. */
  readonly detail?: string | undefined
  readonly icon: IconNode
  /** Words it is found by beside its label. */
  readonly words?: string | undefined
  readonly run: () => void
}
