const charsBefore = 40
const charsMax = 150

/** The part of a text around the first of some words, with the words marked. */
export function excerpt(text: string, words: string): Node[] {
  const escaped = words.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(${escaped.join('|')})`, 'gi')
  const first = Math.max(0, text.search(pattern))
  const start = first <= charsBefore ? 0 : text.indexOf(' ', first - charsBefore) + 1
  const end = text.length <= start + charsMax ? text.length : text.lastIndexOf(' ', start + charsMax)
  const part = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  return part.split(pattern).map((piece, index) => {
    if (index % 2 === 0) return document.createTextNode(piece)
    const mark = document.createElement('mark')
    mark.textContent = piece
    return mark
  })
}
