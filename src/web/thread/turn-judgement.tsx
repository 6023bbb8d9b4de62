import { SmilePlus, StickyNote } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useFeedback } from '../call/tabs/use-feedback.ts'
import { Button } from '../components/controls/button.tsx'
import { inputClass } from '../components/controls/field.tsx'
import { Badge } from '../components/display/badge.tsx'
import { callText } from '../text/call.ts'
import { threadText } from '../text/thread.ts'
import css from './turn-view.module.css'
import type { Turn } from './turns.ts'

/** Reactions and notes that the turn has already. */
export function Judgements({ projectId, turn }: { projectId: string; turn: Turn }) {
  const { data } = useFeedback(projectId, turn.callId)
  if (!data || data.length === 0) return null
  return (
    <>
      {data.map(({ id, payload }) => {
        const text = payload['note'] ?? payload['emoji']
        return typeof text === 'string' ? (
          <Badge key={id} icon={typeof payload['note'] === 'string' ? StickyNote : SmilePlus}>
            {text.slice(0, 80)}
          </Badge>
        ) : null
      })}
    </>
  )
}

interface NoteFormProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onSave: (note: string) => void
  readonly onClose: () => void
}

/** A field for a note on the turn. */
export function NoteForm({ field, onSave, onClose }: NoteFormProps) {
  const [note, setNote] = useState('')
  useEffect(() => field.current?.focus(), [])
  const save = () => note.trim() !== '' && onSave(note.trim())
  return (
    <div class={css.note}>
      <textarea
        ref={field}
        rows={2}
        class={inputClass}
        maxLength={1024}
        value={note}
        aria-label={threadText.note}
        placeholder={callText.addNote}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) save()
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button size="compact" disabled={note.trim() === ''} hint={callText.sendHint} onClick={save}>
        {threadText.noteAdd}
      </Button>
    </div>
  )
}
