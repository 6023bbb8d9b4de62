/** A text with the first hit of what was typed in bold. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  const word = typed.trim().split(/\s+/)[0] ?? ''
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word.toLowerCase())
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <b style={{ fontWeight: 600 }}>{text.slice(at, at + word.length)}</b>
      {text.slice(at + word.length)}
    </>
  )
}
