import { Icon } from './icon.tsx'
import { type CallKind, kindColor, kindIcon, kindName } from './kinds.ts'

/** Icon of a kind of call in its colour. Beside the call's name it is decoration: pass `hidden`. */
export function KindIcon({ kind, size = 16, hidden = false }: { kind: CallKind; size?: number; hidden?: boolean }) {
  return (
    <span style={{ color: kindColor(kind), display: 'inline-flex', flex: 'none' }}>
      <Icon of={kindIcon(kind)} size={size} label={hidden ? undefined : kindName(kind)} />
    </span>
  )
}
