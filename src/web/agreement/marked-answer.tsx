import { useMemo } from 'preact/hooks'
import css from './answer-choice.module.css'
import { markedLines } from './marked-lines.ts'

interface MarkedAnswerProps {
  readonly text: string
  /** The answer that this one is compared with. */
  readonly other: string
}

/** An answer in which the words are marked that the other one does not have. */
export default function MarkedAnswer({ text, other }: MarkedAnswerProps) {
  const lines = useMemo(() => markedLines(text, other), [text, other])
  return (
    <>
      {lines.map(({ number, pieces }) => (
        <span key={number} class={css.line}>
          {pieces.map((piece, index) => (piece.isMarked ? <mark key={index}>{piece.text}</mark> : piece.text))}
        </span>
      ))}
    </>
  )
}
