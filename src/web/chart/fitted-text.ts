/** Pixels of the letters of a chart, as in lines.module.css. */
const size = 11
/** Wide enough for the names that charts have of their own. */
const usualMax = 108

let context: OffscreenCanvasRenderingContext2D | null | undefined

/** How wide a text in a chart is, in pixels. */
export function textWidth(text: string): number {
  context ??= new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return text.length * size
  context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`
  return context.measureText(text).width
}

/** A text of a chart, without its end or its middle if it is wider than `max` pixels. */
export function fitted(text: string, max = usualMax, from: 'end' | 'middle' = 'end'): string {
  if (textWidth(text) <= max) return text
  const letters = [...text]
  for (let count = letters.length - 1; count > 1; count--) {
    const tail = from === 'middle' ? Math.ceil(count / 2) : 0
    const short = `${letters.slice(0, count - tail).join('')}…${tail > 0 ? letters.slice(-tail).join('') : ''}`
    if (textWidth(short) <= max) return short
  }
  return '…'
}
