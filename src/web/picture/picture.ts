import { paintSvg } from './paint-svg.ts'

/** Pixels of the picture for one of the page. */
const scale = 2
const margin = 12
const sideMax = 16_000

/**
 * Draws an element of the page as a PNG: backgrounds, borders, texts and SVG. What has
 * `data-unpainted`, and what only screen readers see, is left out. It is drawn piece by piece since
 * browsers do not hand out pictures of pages.
 */
export async function pictureOf(element: HTMLElement): Promise<Blob> {
  const box = element.getBoundingClientRect()
  const width = Math.min(sideMax, Math.ceil((box.width + 2 * margin) * scale))
  const height = Math.min(sideMax, Math.ceil((box.height + 2 * margin) * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw pictures')
  context.fillStyle = getComputedStyle(document.body).backgroundColor
  context.fillRect(0, 0, width, height)
  context.scale(scale, scale)
  context.translate(margin - box.left, margin - box.top)
  paint(context, element)
  return await canvas.convertToBlob({ type: 'image/png' })
}

function paint(context: OffscreenCanvasRenderingContext2D, element: Element): void {
  if (element.matches('[data-unpainted], .sr-only, [hidden]')) return
  const style = getComputedStyle(element)
  if (style.display === 'none' || style.visibility === 'hidden') return
  if (element instanceof SVGSVGElement) {
    paintSvg(context, element)
    return
  }
  const box = element.getBoundingClientRect()
  paintBox(context, box, style)
  context.save()
  if (style.overflow !== 'visible') {
    context.beginPath()
    context.rect(box.left, box.top, box.width, box.height)
    context.clip()
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) paint(context, child)
    else if (child instanceof Text) paintText(context, child, style)
  }
  context.restore()
}

function paintBox(context: OffscreenCanvasRenderingContext2D, box: DOMRect, style: CSSStyleDeclaration): void {
  const radius = Number.parseFloat(style.borderTopLeftRadius) || 0
  if (!isClear(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor
    context.beginPath()
    context.roundRect(box.left, box.top, box.width, box.height, radius)
    context.fill()
  }
  const line = Number.parseFloat(style.borderTopWidth) || 0
  if (line > 0 && style.borderTopStyle !== 'none' && style.borderLeftStyle !== 'none') {
    context.strokeStyle = style.borderTopColor
    context.lineWidth = line
    context.beginPath()
    context.roundRect(box.left + line / 2, box.top + line / 2, box.width - line, box.height - line, radius)
    context.stroke()
    return
  }
  const below = Number.parseFloat(style.borderBottomWidth) || 0
  if (below > 0 && style.borderBottomStyle !== 'none') {
    context.fillStyle = style.borderBottomColor
    context.fillRect(box.left, box.bottom - below, box.width, below)
  }
}

const isClear = (color: string): boolean => color === 'transparent' || /[,/]\s*0\)$/.test(color)

/** Draws a text of the page line by line, where the page has it. */
function paintText(context: OffscreenCanvasRenderingContext2D, node: Text, style: CSSStyleDeclaration): void {
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
