/** Draws the shapes and texts of an SVG where the page has them. */
export function paintSvg(context: OffscreenCanvasRenderingContext2D, svg: SVGSVGElement): void {
  for (const shape of svg.querySelectorAll<SVGGraphicsElement>('rect, line, path, circle, polyline, text')) {
    const matrix = shape.getScreenCTM()
    if (matrix === null) continue
    const style = getComputedStyle(shape)
    context.save()
    context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    if (shape instanceof SVGTextElement) paintWords(context, shape, style)
    else paintShape(context, outline(shape), style)
    context.restore()
  }
}

const lengthOf = (shape: Element, name: string): number => Number.parseFloat(shape.getAttribute(name) ?? '0') || 0

function outline(shape: SVGGraphicsElement): Path2D {
  const at = (name: string) => lengthOf(shape, name)
  const path = new Path2D(shape.tagName === 'path' ? (shape.getAttribute('d') ?? '') : undefined)
  switch (shape.tagName) {
    case 'rect':
      path.rect(at('x'), at('y'), at('width'), at('height'))
      break
    case 'circle':
      path.arc(at('cx'), at('cy'), at('r'), 0, 2 * Math.PI)
      break
    case 'line':
      path.moveTo(at('x1'), at('y1'))
      path.lineTo(at('x2'), at('y2'))
      break
    case 'polyline': {
      const points = (shape.getAttribute('points') ?? '')
        .trim()
        .split(/\s+/)
        .map((point) => point.split(',').map(Number))
      for (const [x = 0, y = 0] of points) path.lineTo(x, y)
    }
  }
  return path
}

function paintShape(context: OffscreenCanvasRenderingContext2D, path: Path2D, style: CSSStyleDeclaration): void {
  const opacity = Number.parseFloat(style.opacity)
  if (style.fill !== 'none') {
    context.globalAlpha = opacity * Number.parseFloat(style.fillOpacity)
    context.fillStyle = style.fill
    context.fill(path)
  }
  if (style.stroke !== 'none') {
    context.globalAlpha = opacity * Number.parseFloat(style.strokeOpacity)
    context.strokeStyle = style.stroke
    context.lineWidth = Number.parseFloat(style.strokeWidth)
    context.lineJoin = 'round'
    context.setLineDash(
      style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat),
    )
    context.stroke(path)
  }
}

function paintWords(
  context: OffscreenCanvasRenderingContext2D,
  shape: SVGTextElement,
  style: CSSStyleDeclaration,
): void {
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  context.fillStyle = style.fill
  context.textAlign = style.textAnchor === 'end' ? 'right' : style.textAnchor === 'middle' ? 'center' : 'left'
  context.fillText(shape.textContent, lengthOf(shape, 'x'), lengthOf(shape, 'y'))
}
