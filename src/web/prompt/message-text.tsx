import { lazyPart } from '../components/states/lazy-part.tsx'
import { showError } from '../state/toasts.ts'
import { type MessageTextProps, PromptText } from './prompt-text.tsx'

const PartsEditor = lazyPart(() => import('./parts-editor.tsx'), { loading: () => null })

/** The content of a message: one text, or parts. A pasted image becomes a part. */
export function MessageText(props: MessageTextProps) {
  const { message, isReadOnly, onChange } = props
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
    if (isReadOnly || files.length === 0) return
    event.preventDefault()
    void import('./parts-editor.tsx').then(({ withImages }) => withImages(message, files)).then(onChange, showError)
  }
  return message.isParts ? (
    <PartsEditor {...props} onPaste={onPaste} />
  ) : (
    <PromptText {...props} onPaste={onPaste} text={message.text} onType={(text) => onChange({ ...message, text })} />
  )
}
