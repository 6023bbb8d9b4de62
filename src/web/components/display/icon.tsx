import type { IconNode } from 'lucide'
import { h } from 'preact'

// lucide draws on a grid of 24: 2.1 there is a stroke of 1.4 at 16 px.
const strokeOnGrid = 2.1

/**
 * An icon of lucide: `<Icon of={Search} />`. Without a label it is decoration, hidden from screen
 * readers.
 */
export function Icon({ of, size = 16, label, class: className }: IconProps) {
  return (
    <svg
      class={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={strokeOnGrid}
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}

interface IconProps {
  readonly of: IconNode
  readonly size?: number
  readonly label?: string | undefined
  readonly class?: string | undefined
}
