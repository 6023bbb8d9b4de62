import { Check, Copy } from 'lucide'
import { useState } from 'preact/hooks'
import { showError } from '../../state/toasts.ts'
import { partsText } from '../../text/parts.ts'
import { Button, IconButton } from './button.tsx'

const saidMs = 1_500

/** Copies a text and says so in place. With `words` it is a button with words, else an icon. */
export function CopyButton({ text, label = partsText.copy, words = false, onCopy }: CopyButtonProps) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setDone(true)
      onCopy?.()
      setTimeout(() => setDone(false), saidMs)
    } catch (error) {
      showError(error)
    }
  }
  const icon = done ? Check : Copy
  if (!words) return <IconButton of={icon} label={done ? partsText.copied : label} size="compact" onClick={copy} />
  return (
    <Button kind="quiet" size="compact" icon={icon} onClick={copy}>
      {done ? partsText.copied : label}
    </Button>
  )
}

interface CopyButtonProps {
  readonly text: string | (() => string)
  readonly label?: string
  readonly words?: boolean
  readonly onCopy?: () => void
}
