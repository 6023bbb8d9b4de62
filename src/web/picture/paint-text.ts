/** Draws a text of the page line by line, where the page has it. */
export function paintText(context: OffscreenCanvasRenderingContext2D, node: Text, style: CSSStyleDeclaration): void {
  if (node.data.trim() === '') return
  context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  context.fillStyle = style.color
  context.textBaseline = 'alphabetic'
  context.direction = style.direction === 'rtl' ? 'rtl' : 'ltr'
  context.textAlign = 'left'
  for (const { text, box } of linesOf(node)) {
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText(text)
    context.fillText(text, box.left, box.top + (box.height + up - down) / 2)
  }
}

interface Line {
  text: string
  box: DOMRect
}

/** The words of a text, joined where they stand on the same line. */
function linesOf(node: Text): Line[] {
  const range = document.createRange()
  const lines: Line[] = []
  for (const { 0: word, index } of node.data.matchAll(/\S+\s*/g)) {
    range.setStart(node, index)
    range.setEnd(node, index + word.trimEnd().length)
    const box = range.getBoundingClientRect()
    const last = lines.at(-1)
    if (box.width === 0) continue
    if (last && Math.abs(last.box.top - box.top) < 2) {
      last.text += word.replaceAll(/\s+/g, ' ')
    } else lines.push({ text: word.replaceAll(/\s+/g, ' '), box })
  }
  return lines.map(({ text, box }) => ({ text: text.trimEnd(), box }))
}
